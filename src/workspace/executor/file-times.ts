/** The time in whole seconds with the fraction of the same time as text; `undefined` where that has none. */
export function millisOf(seconds: number, text: string): number | undefined {
  const fraction = /:\d\d(\.\d+)/.exec(text)?.[1];
  return fraction === undefined ? undefined : seconds * 1000 + Math.trunc(Number(fraction) * 1e6) / 1000;
}
