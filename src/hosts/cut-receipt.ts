import type { Receipt } from '../broker/receipt.ts';

/** More of each list in a receipt is left out, the next step where the one before was not enough. */
const STEPS = [1000, 100, 10] as const;

/**
 * A receipt of at most about `max` UTF-16 units as JSON: of long lists (files, hunks, findings) the first ones, with how
 * much was left out in `receipt_cut`. Clients end the connection over a message that is larger than they take.
 */
export function cutReceipt(receipt: Receipt, max: number): Receipt {
  const whole = sizeOf(receipt);
  let [cut, size] = [receipt, whole];
  for (const most of STEPS) {
    if (size <= max) break;
    cut = withShortLists(receipt, most) as Receipt;
    size = sizeOf(cut);
  }
  return size === whole ? receipt : { ...cut, receipt_cut: whole - size };
}

function sizeOf(receipt: Receipt): number {
  return JSON.stringify(receipt).length;
}

function withShortLists(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.slice(0, most).map((member) => withShortLists(member, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShortLists(member, most)]));
}
