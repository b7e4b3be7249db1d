import type { Span } from '../../workspace/span.ts';
import { entityAt, escapedLetterAt, isBlank, isInvisible, isWord, LETTER_ESCAPE, plainForm } from './fold.ts';
import type { Syntax } from './syntax.ts';

/** A word, or one character of punctuation. What lies between two tokens is blanks and what can't be seen. */
export interface Token extends Span {
  /** What it says, form aside: look-alikes, entities and the composition of accents folded. */
  readonly key: string;
  readonly kind: 'word' | 'symbol' | 'escape';
  readonly isComment: boolean;
  /** Which string literal it lies in (one that opens and closes on its line, quotes included), -1 for none. */
  readonly literal: number;
}

/** The tokens that lie whole in a span. Comments and strings are told apart from its first line on. */
export function tokenize(text: string, span: Span, syntax: Syntax): readonly Token[] {
  const tokens: Token[] = [];
  let closing = '';
  let literal: Span = NO_LITERAL;
  let isLineComment = false;
  for (let offset = lexStart(text, span.start); offset < span.end; ) {
    const code = text.charCodeAt(offset);
    if (code === 10 || code === 13) {
      isLineComment = false;
      literal = NO_LITERAL;
      offset += 1;
      continue;
    }
    if (isBlank(code) || isInvisible(code)) {
      offset += 1;
      continue;
    }
    if (closing === '' && !isLineComment && offset >= literal.end) {
      closing = blockOpening(text, offset, syntax);
      isLineComment = closing === '' && isLineOpening(text, offset, syntax);
      literal = closing === '' && !isLineComment && isQuote(code) ? literalAt(text, offset, code) : NO_LITERAL;
    }
    const isComment = closing !== '' || isLineComment;
    const end = tokenEnd(text, { start: offset, end: span.end }, code);
    const closes = closing !== '' && text.startsWith(closing, offset);
    const stop = closes ? offset + closing.length : end;
    for (let start = offset; start < stop; ) {
      const next = start === offset && !closes ? end : start + 1;
      if (start >= span.start && next <= span.end) {
        pushToken(tokens, text, { start, end: next }, { isComment, literal: isComment ? -1 : literal.start });
      }
      start = next;
    }
    if (closes) closing = '';
    offset = stop;
  }
  return tokens;
}

/** Lines are read from their start, but of very long ones only a part. */
const MAX_LEAD = 1_000;

function lexStart(text: string, offset: number): number {
  const from = Math.max(0, offset - MAX_LEAD);
  const newline = text.slice(from, offset).lastIndexOf('\n');
  if (newline >= 0) return from + newline + 1;
  let start = from;
  if (start === 0) return 0;
  while (start < offset && isWord(text.charCodeAt(start))) start += 1;
  return start;
}

/** Where the token at `start` ends; of one that goes on past `end` no more is read than shows that. */
function tokenEnd(text: string, { start: offset, end: limit }: Span, code: number): number {
  const isEscaped = code === 0x5c && escapedLetterAt(text, offset) !== undefined;
  if (code === 0x5c && !isEscaped) return /[ntr]/.test(text[offset + 1] ?? '') ? offset + 2 : offset + 1;
  if (code === 0x26) return offset + (entityAt(text, offset)?.[0].length ?? 1);
  if (!isWord(code) && !isEscaped) return offset + 1;
  let end = offset + (isEscaped ? LETTER_ESCAPE : 1);
  // What can't be seen ends no word: only what follows tells whether the word goes on.
  while (end < text.length && (end <= limit || isInvisible(text.charCodeAt(end - 1)))) {
    const next = text.charCodeAt(end);
    const goesOn = isIdeograph(code)
      ? isMark(next) || isJamoInside(next)
      : (isWord(next) && !isIdeograph(next)) || isInvisible(next);
    if (goesOn) end += 1;
    else if (next === 0x5c && escapedLetterAt(text, end) !== undefined) end += LETTER_ESCAPE;
    else break;
  }
  while (isInvisible(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Scripts that put no blanks between words: each character is a token, with the marks on it; a decomposed syllable too. */
function isIdeograph(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff)
  );
}

/** The vowel or the last consonant of a decomposed syllable of Hangul. */
const isJamoInside = (code: number): boolean => code >= 0x1160 && code <= 0x11ff;

const isMark = (code: number): boolean => code >= 0x300 && /\p{M}/u.test(String.fromCharCode(code));

function pushToken(
  tokens: Token[],
  text: string,
  { start, end }: Span,
  flags: Pick<Token, 'isComment' | 'literal'>,
): void {
  const code = text.charCodeAt(start);
  if (isWord(code) || (code === 0x5c && end - start >= LETTER_ESCAPE)) {
    tokens.push({ start, end, key: wordKey(text.slice(start, end)), kind: 'word', ...flags });
    return;
  }
  if (code === 0x5c && end - start === 2) {
    tokens.push({ start, end, key: text.slice(start, end), kind: 'escape', ...flags });
    return;
  }
  const entity = code === 0x26 ? entityAt(text, start) : undefined;
  const character = entity ? entity[1] : text.slice(start, end);
  const key = plainForm(character.charCodeAt(0)) ?? character;
  const dots = key === '...';
  tokens.push({ start, end, key: dots ? '.' : key, kind: 'symbol', ...flags });
  if (!dots) return;
  for (let i = 0; i < 2; i++) tokens.push({ start: end, end, key: '.', kind: 'symbol', ...flags });
}

function wordKey(raw: string): string {
  const word = raw.includes('\\')
    ? raw.replace(/\\u[\da-f]{4}/gi, (letter) => escapedLetterAt(letter, 0) ?? letter)
    : raw;
  for (let i = 0; i < word.length; i++) {
    if (word.charCodeAt(i) < 128) continue;
    return [...word.normalize('NFC')].filter((character) => !isInvisible(character.charCodeAt(0))).join('');
  }
  return word;
}

function blockOpening(text: string, offset: number, { block }: Syntax): string {
  return block.find(([open]) => text.startsWith(open, offset))?.[1] ?? '';
}

/** A line comment starts its line or follows a blank; in C's family a line that starts with `* ` goes on with one. */
function isLineOpening(text: string, offset: number, { line, block }: Syntax): boolean {
  const before = text.charCodeAt(offset - 1);
  const isApart =
    offset === 0 || isBlank(before) || before === 0x3b || before === 0x2c || before === 0x7b || before === 0x7d;
  if (isApart && !text.startsWith('#{', offset) && line.some((mark) => text.startsWith(mark, offset))) return true;
  if (text[offset] !== '*' || !block.some(([open]) => open === '/*')) return false;
  const next = text.charCodeAt(offset + 1);
  if (!(Number.isNaN(next) || isBlank(next) || next === 0x2f)) return false;
  const newline = text.lastIndexOf('\n', offset - 1) + 1;
  return text.slice(newline, offset).trim() === '';
}

const isQuote = (code: number): boolean => code === 0x22 || code === 0x27 || code === 0x60;

const MAX_STRING = 2_000;

const NO_LITERAL: Span = { start: -1, end: -1 };

/** The string literal that a quote opens, where it closes on the same line: an apostrophe opens none. */
function literalAt(text: string, offset: number, quote: number): Span {
  if (quote === 0x27 && isWord(text.charCodeAt(offset - 1))) return NO_LITERAL;
  for (let i = offset + 1; i < text.length && i < offset + MAX_STRING; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) return NO_LITERAL;
    if (code === 0x5c) i += 1;
    else if (code === quote && !(quote === 0x27 && isWord(text.charCodeAt(i + 1))))
      return { start: offset, end: i + 1 };
  }
  return NO_LITERAL;
}
