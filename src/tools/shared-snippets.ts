const MAX_LINES = 60;
const MAX_BYTES = 4 * 1024;

/**
 * The snippets of one answer, which share the room of one: 60 lines or 4 KB in all. Those that no longer fit are left
 * out whole; the first is always there.
 */
export function sharedSnippets(snippets: readonly (string | undefined)[]): readonly (string | undefined)[] {
  let lines = 0;
  let bytes = 0;
  let isFirst = true;
  return snippets.map((snippet) => {
    if (snippet === undefined || snippet === '') return undefined;
    lines += snippet.split('\n').length;
    bytes += Buffer.byteLength(snippet);
    const fits = isFirst || (lines <= MAX_LINES && bytes <= MAX_BYTES);
    isFirst = false;
    return fits ? snippet : undefined;
  });
}
