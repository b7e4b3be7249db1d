import type { LanguageServer } from '../workspace/language-server/language-server.ts';

/** Begins `work`, has the files looked at meanwhile, and does it again where the server was told of a change. */
export async function askEarly<T>(
  server: LanguageServer,
  passOn: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const { epoch } = server;
  const passed = written().then(passOn);
  const [early] = await Promise.allSettled([work(), passed]);
  await passed;
  if (server.epoch !== epoch) return work();
  if (early.status === 'rejected') throw early.reason;
  return early.value;
}

/** Settles once what was asked just now is on its way to the server: what else there is to do is done meanwhile. */
export function written(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
