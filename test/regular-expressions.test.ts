import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createContext, runInContext, Script } from 'node:vm';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../src');
const LENGTH = 8000;
/** Milliseconds of work. What goes through a text once takes a tenth of one; what looks at it anew from each place a hundred. */
const MOST_MS = 40;

/** Those that only ever see a text of bounded length, and its length. */
const BOUNDED: Readonly<Record<string, number>> = {
  'broker/match/enclosing-symbol.ts': 300,
  'broker/match/form-matches.ts': 200,
  'broker/patch/parse-patch.ts': 200,
  'workspace/file-page.ts': 2000,
  'workspace/navigation/symbol-name.ts': 500,
  // Line ends stand only at the end of a line.
  'tools/navigation/find-spots.ts': 2,
  // The digits of a number.
  'workspace/truncation.ts': 25,
  'diagnostics/ask-question.ts': 200,
  'workspace/search/meant-globs.ts': 4096,
  'workspace/search/glob-match.ts': 4096,
};

/** Every literal in the sources, each once a file. */
function literals(): readonly { readonly file: string; readonly text: string }[] {
  const found = new Map<string, { readonly file: string; readonly text: string }>();
  for (const entry of readdirSync(SRC, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const file = relative(SRC, path);
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
        found.set(`${file} ${node.getText()}`, { file, text: node.getText() });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return [...found.values()];
}

const PUMPS = [
  ...' \t\n\raA0"\'`()[]{}#/.*?\\,;:=<>|&$_-é\u001b\0\ud800',
  ...[
    '\r\n',
    '# ',
    '#\n',
    '//',
    './',
    '..',
    '...',
    '**',
    '*,',
    '\\a',
    'x,',
    'a.',
    'a ',
    'a(',
    '(a',
    '(a)',
    '{a',
    '{a,',
  ],
  ...['a:', '1.', '1,', '\u001b[', '\u001b]', 'file:', 'export ', 'export {', 'type ', '```', '```\n', '*** ', '\\"'],
  ...['\n#', 'a\n', ' \n', '\t\n', 'function ', 'const ', 'root', '"version"', '"version":', '<a', 'a<b>', '::', '(a|'],
  ...['a|', '!(a', '@(a', '1..', '{1..', 'aB', '[a', 'error: ', '&#a', '\\u00', '// existing ', '... ', 'é,', 'aé '],
];

/** Runs in a context of its own, where a regular expression that does not end can be stopped. */
const FIND_SLOW = new Script(`(() => {
  const timed = (text) => {
    const start = now();
    if (re.global) text.replace(re, '');
    else re.exec(text);
    return now() - start;
  };
  // Collecting garbage may fall into one.
  return texts.find((text) => timed(text) > most && timed(text) > most && timed(text) > most);
})()`);

/** Milliseconds that this process was at work: what others do on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

test('no regular expression takes longer than its text is long, whatever stands in it', () => {
  const all = literals();
  expect(all.length).toBeGreaterThan(200);
  const slow = all.flatMap(({ file, text }) => {
    const length = Math.min(LENGTH, BOUNDED[file.replaceAll('\\', '/')] ?? LENGTH);
    const texts = PUMPS.flatMap((pump) => ['', '!', '\nx'].map((end) => pump.repeat(length / pump.length) + end));
    const context = createContext({ texts, most: MOST_MS, now: cpuMs });
    context.re = runInContext(text, context);
    try {
      const worst: unknown = FIND_SLOW.runInContext(context, { timeout: 20_000 });
      return typeof worst === 'string' ? [`${file} ${text}: ${JSON.stringify(worst.slice(0, 20))}…`] : [];
    } catch {
      return [`${file} ${text} does not end`];
    }
  });
  expect(slow).toEqual([]);
}, 120_000);
