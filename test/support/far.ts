/**
 * Where the tests of tools reach their files: with `EMEND_TEST_THROUGH=busybox|system` only through bubblewrap, so that
 * each is a test of that too. `undefined`: on this machine.
 */
export const through = throughOf(process.env.EMEND_TEST_THROUGH);

/** Files and commands are behind an executor. */
export const isFar = through !== undefined;

/** There is nothing but busybox there: no bash, no git, no Node, no procps. */
export const isBusybox = through === 'busybox';

/** What a value is here, and there. */
export function farOr<T>(far: T, here: T): T {
  return isFar ? far : here;
}

function throughOf(name: string | undefined): 'busybox' | 'system' | undefined {
  if (name === undefined || name === 'busybox' || name === 'system') return name;
  throw new Error(`EMEND_TEST_THROUGH is ${JSON.stringify(name)}. Give busybox or system, or leave it out.`);
}
