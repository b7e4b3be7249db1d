import type { CompareOptions, Laid } from './comparison.ts';
import { CONTEXT, ESCAPE, EXACT, type Grade, UNICODE } from './grade.ts';
import { isMisspelling } from './misspelling.ts';
import type { Token } from './tokens.ts';

/** What stands between two pairs on one side alone. */
interface Block {
  readonly old: readonly Token[];
  readonly file: readonly Token[];
}

/** Where a block begins: the indices of its first token on either side. */
interface Setting {
  readonly laid: Laid;
  readonly options: CompareOptions;
  readonly i: number;
  readonly j: number;
}

interface GradedBlock {
  readonly grade: Grade;
  readonly misspelt: readonly (readonly [number, number])[];
}

/** What only one side has between two pairs: escapes, a trailing `,` or `;`, comments, a misspelt word; or `undefined`. */
export function gradeBlock(block: Block, { laid, options, i, j }: Setting): GradedBlock | undefined {
  const { old, file, text } = laid;
  let grade: Grade = EXACT;
  const forgiven = (token: Token, side: 'old' | 'file', index: number): boolean => {
    const tokens = side === 'old' ? old.tokens : file;
    const whole = side === 'old' ? old.text : text;
    if (side === 'file' && isFileEscape(token, block, setting(index))) {
      grade = Math.max(grade, ESCAPE);
      return true;
    }
    if (
      (token.key === ',' || token.key === ';') &&
      isTrailing(whole, token, tokens[index + 1]) &&
      !isTuple(tokens, index)
    ) {
      grade = Math.max(grade, UNICODE);
      return true;
    }
    if (options.forgive === 'context' && token.isComment) {
      grade = Math.max(grade, CONTEXT);
      return true;
    }
    return false;
  };
  const setting = (index: number): EscapeSetting => ({
    gap: old.text.slice(old.tokens[i - 1]?.end ?? 0, old.tokens[i + block.old.length]?.start ?? old.text.length),
    next: file[index + 1],
  });
  const mine = block.old
    .map((token, k) => ({ token, index: i + k }))
    .filter(({ token, index }) => !forgiven(token, 'old', index));
  const real = block.file
    .map((token, k) => ({ token, index: j + k }))
    .filter(({ token, index }) => !forgiven(token, 'file', index));
  if (mine.length === 0 && real.length === 0) return { grade, misspelt: [] };
  if (options.forgive === 'form') return undefined;
  if (mine.length + real.length === 1 && isDoubled(mine[0]?.token ?? real[0]?.token, mine.length ? old.tokens : file)) {
    return { grade: CONTEXT, misspelt: [] };
  }
  if (mine.length !== real.length) return undefined;
  const misspelt: (readonly [number, number])[] = [];
  for (const [k, { token, index }] of mine.entries()) {
    const other = real[k];
    if (!other || token.kind !== 'word' || other.token.kind !== 'word') return undefined;
    const known = options.misspelt === 'loosely' ? undefined : { old: old.text, file: text };
    if (!isMisspelling(token.key, other.token.key, known)) return undefined;
    misspelt.push([index, other.index]);
  }
  return { grade: CONTEXT, misspelt };
}

interface EscapeSetting {
  readonly gap: string;
  readonly next: Token | undefined;
}

/** A backslash before a quote, or an escaped line end or tab for which old_string has the character itself. */
function isFileEscape(token: Token, block: Block, { gap, next }: EscapeSetting): boolean {
  if (block.old.length > 0) return false;
  if (token.kind === 'escape') return token.key === '\\t' ? gap.includes('\t') : /[\r\n]/.test(gap);
  return token.key === '\\' && next !== undefined && /['`\\]/.test(next.key);
}

/** A `,` or `;` at the end of a line, or before what closes. */
function isTrailing(text: string, token: Token, next: Token | undefined): boolean {
  return !next || /^[\])}]$/.test(next.key) || next.isComment || /[\r\n]/.test(text.slice(token.end, next.start));
}

/** Whether a comma makes a tuple of the one thing in brackets that are no call's: `(1,)`. */
function isTuple(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.key !== ',' || tokens[index + 1]?.key !== ')') return false;
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    const key = tokens[at]?.key ?? '';
    if (/^[)\]}]$/.test(key)) depth += 1;
    else if (depth === 0 && key === ',') return false;
    else if (/^[([{]$/.test(key) && depth-- === 0) return !isCalled(tokens[at - 1]);
  }
  return false;
}

const NO_CALLEES = new Set('return in yield and or not is if else await lambda match case'.split(' '));

function isCalled(before: Token | undefined): boolean {
  if (!before) return false;
  return before.kind === 'word' ? !NO_CALLEES.has(before.key) : /^[)\]>]$/.test(before.key);
}

/** A word written twice by mistake. */
function isDoubled(token: Token | undefined, tokens: readonly Token[]): boolean {
  if (token?.kind !== 'word' || !/^\p{Ll}+$/u.test(token.key)) return false;
  const index = tokens.indexOf(token);
  return tokens[index - 1]?.key === token.key || tokens[index + 1]?.key === token.key;
}
