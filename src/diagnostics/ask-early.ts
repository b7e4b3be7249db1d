import type { LanguageServer } from '../workspace/language-server/language-server.ts';

/** Begins `work` while the files are looked at (`passed`), and does it again where the server was told of a change. */
export async function askEarly<T>(server: LanguageServer, passed: Promise<void>, work: () => Promise<T>): Promise<T> {
  const { epoch } = server;
  const [early] = await Promise.allSettled([work(), passed]);
  await passed;
  if (server.epoch !== epoch) return work();
  if (early.status === 'rejected') throw early.reason;
  return early.value;
}
