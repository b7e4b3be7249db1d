/** How often a method of a prototype is called while `run` runs: steps that no clock has to be read for. */
export async function countCalls<Owner extends object>(
  owner: Owner,
  method: keyof Owner & string,
  run: () => unknown,
): Promise<number> {
  const real: unknown = Reflect.get(owner, method);
  if (typeof real !== 'function') throw new TypeError(`${method} is no method`);
  let calls = 0;
  Reflect.set(owner, method, function counted(this: unknown, ...given: unknown[]): unknown {
    calls += 1;
    return Reflect.apply(real, this, given);
  });
  try {
    await run();
  } finally {
    Reflect.set(owner, method, real);
  }
  return calls;
}
