import { expect, test } from 'vitest';
import type { Receipt } from '../../src/broker/receipt.ts';
import { cutReceipt } from '../../src/hosts/cut-receipt.ts';

const RANGE = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

function receiptWith(findings: number): Receipt {
  const found = Array.from({ length: findings }, (_, n) => {
    return { path: `src/${n}.ts`, range: RANGE, severity: 'error', message: 'm'.repeat(100) } as const;
  });
  return {
    id: 'e1',
    tool: 'Edit',
    ok: true,
    ms: 1,
    files: [],
    changed: found.map(({ path }) => path),
    reflow: [{ receipt: 'e0', introduced: found, fixed: [] }],
  };
}

test('a receipt that fits stays as it is', () => {
  const receipt = receiptWith(20);
  expect(cutReceipt(receipt, 100_000)).toBe(receipt);
});

test.each([
  [3000, 300_000, 1000],
  [3000, 100_000, 100],
  [3000, 10_000, 10],
  // Nothing is left to cut: what the call did stays.
  [3000, 100, 10],
])('of a receipt of %i findings that may have %i characters each list keeps its first %i', (findings, max, most) => {
  const whole = receiptWith(findings);
  const cut = cutReceipt(whole, max);
  expect(cut.reflow?.[0]?.introduced).toEqual(whole.reflow?.[0]?.introduced.slice(0, most));
  expect(cut.changed).toEqual(whole.changed?.slice(0, most));
  const { receipt_cut: left = 0, ...rest } = cut;
  expect(JSON.stringify(rest).length + left).toBe(JSON.stringify(whole).length);
});
