/** Names of what code lies in, told by indentation and keywords alone: for messages, not for decisions. */

const NAMED =
  /\b(?:function\*?|class|interface|def|fn|func|fun|sub|module|namespace|struct|enum|trait|impl|type|object|test|it|describe)\b[\s('"`]+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$.-]*)/u;
const ASSIGNED =
  /^\s*(?:export\s+)?(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:async\s*)?(?:function|\(|[\p{L}_$]+\s*=>)/u;
const METHOD = /^\s*(?:[\w<>[\],.*&:?~\s]+\s)?([\p{L}_$~][\p{L}\p{N}_$]*)\s*\([^;]*[{:]\s*$/u;
const SECTION = /^(?:#{1,6}\s+(.{1,40})|\[([^\]]+)\])\s*$/;
const NO_NAMES = new Set(
  'if for while switch catch return else elif with do match when foreach using lock unless until function'.split(' '),
);

/**
 * What the line at an offset lies in or begins: the nearest less indented line above that names something. In `code` a
 * line behind `#` is a comment, elsewhere it may be a heading.
 */
export function enclosingSymbol(text: string, offset: number, of: 'any' | 'code' = 'any'): string | undefined {
  let depth = Number.POSITIVE_INFINITY;
  let own = 0;
  let end = text.indexOf('\n', offset);
  if (end < 0) end = text.length;
  for (let looked = 0; end >= 0 && looked < 2_000; looked++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 300)).trimEnd();
    const indent = line.length - line.trimStart().length;
    if (looked === 0) own = indent;
    const isSection = SECTION.test(line);
    const isComment = isSection && of === 'code';
    if (line.trim() !== '' && !isComment && indent < depth) {
      const name = nameIn(line);
      // What stands beside the line, as a declaration of one line above it, does not hold it; a heading does.
      if (name && (looked === 0 || indent < own || isSection)) return name;
      depth = looked === 0 ? indent + 1 : indent;
    }
    if (depth === 0 && !/^[#[]/.test(line) && looked > 200) return undefined;
    end = start - 1;
  }
  return undefined;
}

function nameIn(line: string): string | undefined {
  const section = SECTION.exec(line);
  if (section) return section[1] ?? section[2];
  const name = (NAMED.exec(line) ?? ASSIGNED.exec(line) ?? METHOD.exec(line))?.[1];
  return name !== undefined && !NO_NAMES.has(name) ? name : undefined;
}
