import { parsePatch, type StructuredPatch } from 'diff';
import { type FilePatch, type HunkLine, type ParsedPatch, type PatchHunk, wrongPatch } from './patch.ts';

const NO_FILE = '/dev/null';
const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** Reads a unified or git diff. Counts in hunk headers that are wrong are counted anew: models seldom get them right. */
export function parseUnified(text: string): ParsedPatch {
  if (/^(?:GIT binary patch|Binary files .* differ)$/m.test(text)) {
    return wrongPatch('it has a binary file in it. Leave that out, and change it with a program made for it.');
  }
  try {
    const files: FilePatch[] = [];
    for (const part of parse(text)) {
      const file = filePatch(part);
      if (typeof file === 'string') return wrongPatch(file);
      files.push(file);
    }
    return files.length > 0 ? { status: 'parsed', files } : wrongPatch('it names no file and has no hunk.');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return wrongPatch(`as a unified diff it can't be read: ${reason}. Send it as "*** Begin Patch" with "@@" hunks.`);
  }
}

function parse(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text).filter(isPart);
  } catch {
    // What is wrong beside the counts is told by the second reading.
    return parsePatch(recounted(text)).filter(isPart);
  }
}

function isPart(part: StructuredPatch): boolean {
  return part.oldFileName !== undefined || part.newFileName !== undefined || part.hunks.length > 0;
}

/** Hunk headers with the counts that their lines have; empty lines get the blank that they lost. */
function recounted(text: string): string {
  const lines = text.split('\n');
  const result: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    at += 1;
    const header = HUNK.exec(line.replace(/\r$/, ''));
    if (!header) {
      result.push(line);
      continue;
    }
    const body: string[] = [];
    while (at < lines.length && !endsHunk(lines, at)) {
      body.push(lines[at] ?? '');
      at += 1;
    }
    while (body.at(-1)?.trim() === '' && !body.at(-1)?.startsWith(' ')) body.pop();
    const signed = body.map((each) => (each === '' || each === '\r' ? ` ${each}` : each));
    const count = (signs: string): number => signed.filter((each) => signs.includes(each.charAt(0))).length;
    const [, oldStart, newStart, rest = ''] = header;
    result.push(`@@ -${oldStart},${count(' -')} +${newStart},${count(' +')} @@${rest}`, ...signed);
  }
  return `${result.join('\n')}\n`;
}

function endsHunk(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return /^(?:@@ |diff --git )/.test(line) || (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ '));
}

/** What the diff asks of one file; a text says why it can't be done. */
function filePatch(part: StructuredPatch): FilePatch | string {
  const [from, to] = namesOf(part);
  const path = to ?? from;
  if (path === undefined) return 'a part of it names no file. Each begins with "--- a/PATH" and "+++ b/PATH".';
  if (part.isCopy) return `${path} is a copy, which can't be patched. Add it as a new file.`;
  if ([part.oldMode, part.newMode].includes('120000')) return `${path} is a link, which can't be patched. Use Bash.`;
  const hunks = part.hunks.map(hunkOf);
  const place = { path, line: 1 };
  if (from === undefined) {
    const mode = part.newMode === '100755' ? { mode: 0o755 } : {};
    return { op: 'add', ...place, ...mode, content: contentOf(hunks) };
  }
  if (to === undefined) {
    const lines = hunks.flatMap((hunk) => hunk.lines).map(({ text }) => text);
    return { op: 'delete', ...place, lines };
  }
  const isMoved = part.isRename === true && from !== to;
  if (part.oldMode !== undefined && part.newMode !== undefined && part.oldMode !== part.newMode)
    return `${path} would change its mode from ${part.oldMode} to ${part.newMode}, which a patch can't do here. Leave the mode lines out, and chmod ${part.newMode.slice(-3)} it with Bash.`;
  if (hunks.length === 0 && !isMoved) return `${path} has no hunk. Give the lines that change, with - and +.`;
  return { op: 'update', path: isMoved ? from : path, line: 1, ...(isMoved && { moveTo: to }), hunks };
}

/** The names before and after, without what diff puts before them; `undefined` for no file. */
function namesOf(part: StructuredPatch): readonly [string | undefined, string | undefined] {
  // Of an empty file that comes or goes git names both sides.
  const from = part.oldFileName === NO_FILE || part.isCreate ? undefined : part.oldFileName;
  const to = part.newFileName === NO_FILE || part.isDelete ? undefined : part.newFileName;
  const isPrefixed = (from ?? 'a/').startsWith('a/') && (to ?? 'b/').startsWith('b/');
  if (part.isGit || isPrefixed) return [from?.replace(/^a\//, ''), to?.replace(/^b\//, '')];
  if (from === undefined || to === undefined || from === to) return [from, to];
  const below = (name: string): string => name.slice(name.indexOf('/') + 1);
  // `old/src/a.ts` and `new/src/a.ts` are the file `src/a.ts`; of `a.ts.orig` and `a.ts` it is the second.
  return below(from) === below(to) ? [below(from), below(to)] : [to, to];
}

function hunkOf(hunk: StructuredPatch['hunks'][number]): PatchHunk {
  const lines: HunkLine[] = [];
  for (const line of hunk.lines) {
    const sign = line.charAt(0);
    const text = line.slice(1).replace(/\r$/, '');
    const last = lines.at(-1);
    if (sign === ' ' || sign === '-' || sign === '+') {
      lines.push({ sign, text, ending: line.endsWith('\r') ? '\r\n' : '\n' });
    } else if (sign === '\\' && last) lines[lines.length - 1] = { ...last, ending: '' };
  }
  return { line: 1, headers: [], expectedLine: hunk.oldStart, lines, isAtEnd: false };
}

function contentOf(hunks: readonly PatchHunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter(({ sign }) => sign === '+');
  return lines.map(({ text, ending = '\n' }) => text + ending).join('');
}
