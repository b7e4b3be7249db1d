import { openReceiptCounter } from '../../src/workspace/local-receipt-counter.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const counter = openReceiptCounter(folder);
const ids: string[] = [];
for (let index = 0; index < Number(count); index += 1) ids.push(await counter.next());
process.send?.(ids);
process.disconnect?.();
