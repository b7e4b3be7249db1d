import { type Draft, indentOf, isBlank } from './drafts.ts';
import type { Random } from './random.ts';

/** A draft as a model would send it that sees the file otherwise: each kept line maybe in another form. */
export interface Sent {
  /** For each old line what stands for it in both strings; `undefined`: left out. May hold line ends. */
  readonly old: readonly (string | undefined)[];
  /** New lines, by their place in the draft's items. */
  readonly fresh: ReadonlyMap<number, string>;
  /** What is done to both strings as a whole, in order. */
  readonly wraps: readonly ((text: string) => string)[];
  /** The file's line end. */
  readonly end: '\n' | '\r\n';
}

export function clean({ old, items }: Draft): Sent {
  const fresh = new Map(items.flatMap((item, at) => ('text' in item ? [[at, item.text] as const] : [])));
  return { old, fresh, wraps: [], end: '\n' };
}

/** Both strings of a draft as sent. */
export function strings({ items }: Draft, { old, fresh, wraps }: Sent): { readonly old: string; readonly now: string } {
  const joined = (lines: readonly (string | undefined)[]): string =>
    lines.filter((line) => line !== undefined).join('\n');
  const now = items.map((item, at) => ('kept' in item ? old[item.kept] : fresh.get(at)));
  const wrapped = (text: string): string => wraps.reduce((all, wrap) => wrap(all), text);
  return { old: wrapped(joined(old)), now: wrapped(joined(now)) };
}

/** Changes a sent draft; `undefined` where it can't. */
export type Drift = (random: Random, draft: Draft, sent: Sent) => Sent | undefined;

const mapAll = (sent: Sent, change: (line: string) => string): Sent => ({
  ...sent,
  old: sent.old.map((text) =>
    text
      ?.split('\n')
      .map((line) => (isBlank(line) ? line : change(line)))
      .join('\n'),
  ),
  fresh: new Map([...sent.fresh].map(([at, line]) => [at, isBlank(line) ? line : change(line)])),
});

const all = ({ old, fresh }: Sent): readonly string[] =>
  [...old, ...fresh.values()].flatMap((line) => (line === undefined || isBlank(line) ? [] : [line]));

/** Untouched old lines, one or more away from the edit, that are still sent as one line. */
function spots({ old, touched }: Draft, sent: Sent, margin: number): readonly number[] {
  return old.flatMap((_, at) => {
    const near = Array.from({ length: 2 * margin + 1 }, (__, k) => at - margin + k).some((k) => touched.has(k));
    return near || sent.old[at] === undefined || sent.old[at]?.includes('\n') ? [] : [at];
  });
}

function onLine(
  margin: number,
  change: (random: Random, line: string, at: number, draft: Draft) => string | undefined,
): Drift {
  return (random, draft, sent) => {
    const at = random.pick(spots(draft, sent, margin));
    const line = at === undefined ? undefined : sent.old[at];
    const changed = line === undefined || at === undefined ? undefined : change(random, line, at, draft);
    return changed === undefined || at === undefined ? undefined : { ...sent, old: sent.old.with(at, changed) };
  };
}

const plain = (sent: Sent): boolean => all(sent).every((line) => /^[\x20-\x7e\t]*$/.test(line) && !line.includes('\\'));

/** Drifts of form, which any line may have. */
export const FORM: Readonly<Record<string, Drift>> = {
  shifted: (random, _, sent) => {
    const unit = all(sent).some((line) => line.startsWith('\t')) ? '\t' : ' '.repeat(random.pick([2, 4]) ?? 2);
    return mapAll(sent, (line) => unit + line);
  },
  dedented: (_, draft, sent) => {
    const lines = all(sent);
    if (draft.old.length === 1) return undefined;
    const least = Math.min(...lines.map((line) => indentOf(line).length));
    if (least === 0 || new Set(lines.flatMap((line) => [...indentOf(line)])).size !== 1) return undefined;
    return mapAll(sent, (line) => line.slice(least));
  },
  'tabs as blanks': (random, _, sent) => {
    const lines = all(sent);
    if (!lines.some((line) => line.startsWith('\t')) || !lines.every((line) => /^\t*(?=\S)/.test(line)))
      return undefined;
    const width = random.pick([2, 4, 8]) ?? 4;
    return mapAll(sent, (line) => indentOf(line).replaceAll('\t', ' '.repeat(width)) + line.trimStart());
  },
  'trailing blanks': onLine(0, (random, line) => (isBlank(line) ? undefined : line + ' '.repeat(random.int(1, 3)))),
  'CRLF file': (_, draft, sent) =>
    draft.source.lines.some((line) => line.includes('\r')) ? undefined : { ...sent, end: '\r\n' },
  'CRLF strings': (_, __, sent) =>
    sent.wraps.length > 0 ? undefined : { ...sent, wraps: [(text) => text.replaceAll('\n', '\r\n')] },
  'curly quotes': (_, __, sent) => {
    const odd = all(sent).some((line) => line.split('"').length % 2 === 0);
    if (!plain(sent) || odd || !sent.old.some((line) => line?.includes('"'))) return undefined;
    return mapAll(sent, (line) => line.replace(/"([^"]*)"/g, '“$1”'));
  },
  fence: (_, draft, sent) => {
    if (draft.source.lines.some((line) => line.includes('```'))) return undefined;
    return { ...sent, wraps: [...sent.wraps, (text) => `\`\`\`\n${text}\n\`\`\``] };
  },
  'outer newlines': (_, __, sent) => ({ ...sent, wraps: [...sent.wraps, (text) => `\n\n${text}`] }),
  'line numbers': (_, draft, sent) => {
    if (all(sent).some((line) => /^\s*\d/.test(line)) || sent.wraps.length > 0) return undefined;
    const number = (text: string): string =>
      text
        .split('\n')
        .map((line, at) => `${String(draft.start + 1 + at).padStart(6)}\t${line}`)
        .join('\n');
    return { ...sent, wraps: [number] };
  },
};

const COMMENT = /^\s*(?:\/\/|#(?!!|include|define|if|endif|else|pragma)|--)\s?\w.*$/;

/** Drifts of content on lines that the edit leaves alone, two lines or more away. */
export const CONTENT: Readonly<Record<string, Drift>> = {
  'blank line missing': (random, draft, sent) => {
    const at = random.pick(spots(draft, sent, 1).filter((k) => k > 0 && sent.old[k] === ''));
    return at === undefined ? undefined : { ...sent, old: sent.old.with(at, undefined) };
  },
  'blank line added': onLine(1, (_, line, at, { old }) =>
    at === 0 || isBlank(line) || isBlank(old[at - 1] ?? '') ? undefined : `\n${line}`,
  ),
  'comment missing': (random, draft, sent) => {
    const at = random.pick(
      spots(draft, sent, 1).filter((k) => k > 0 && k < draft.old.length - 1 && COMMENT.test(sent.old[k] ?? '')),
    );
    return at === undefined ? undefined : { ...sent, old: sent.old.with(at, undefined) };
  },
  'a letter lost': onLine(1, (random, line, at, { source, old }) => {
    const word = random.pick([...line.matchAll(/(?<![\w$])[a-z]{7,18}(?![\w$])/g)]);
    if (!word || at === 0 || at === old.length - 1) return undefined;
    const cut = random.int(2, word[0].length - 3);
    const wrong = word[0].slice(0, cut) + word[0].slice(cut + 1);
    const isKnown = source.lines.some((other) => other.includes(wrong));
    return isKnown || wrong === word[0]
      ? undefined
      : line.slice(0, word.index) + wrong + line.slice(word.index + word[0].length);
  }),
  'blanks beside brackets': onLine(1, (_, line) => {
    if (/["'`#/\\]|^\s*\*/.test(line)) return undefined;
    const out = line.replace(/(\w), (?=\w)/, '$1,').replace(/\b(if|for|while) \(/, '$1(');
    return out === line ? undefined : out;
  }),
};
