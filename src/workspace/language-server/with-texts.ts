import type { LanguageServer } from './language-server.ts';
import type { DocumentText } from './synced-documents.ts';

/** Does something while a server has other texts of open documents, which it then has as before. */
export async function withTexts<T>(
  server: LanguageServer,
  texts: readonly DocumentText[],
  work: () => Promise<T>,
): Promise<T> {
  const { epoch } = server;
  const present = texts.map(({ path, languageId }) => ({
    path,
    languageId,
    text: server.documents.get(path)?.getText(),
  }));
  for (const text of texts) server.sync(text);
  const during = server.epoch;
  try {
    return await work();
  } finally {
    const isUndisturbed = server.epoch === during;
    for (const { text, ...document } of present) {
      if (text === undefined) server.release(document.path);
      else server.sync({ ...document, text });
    }
    // The same texts in the same world: what was known before still holds.
    if (isUndisturbed) server.returnTo(epoch);
  }
}
