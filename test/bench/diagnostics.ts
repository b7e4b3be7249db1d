import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRoot } from '../../src/hosts/open-root.ts';
import type { SpanEdit } from '../../src/workspace/span.ts';
import { applySpanEdits } from '../../src/workspace/span.ts';
import { BareClient, type BareKind } from './bare-client.ts';
import { type BenchRow, elapsed, ratioRow, sideBySide } from './bench-row.ts';

const ROUNDS = 40;
const WARM_UP_ROUNDS = 5;
const modules = join(import.meta.dirname, '../../node_modules');

interface Setting {
  readonly name: string;
  readonly inputs: string;
  readonly file: string;
  readonly languageId: string;
  readonly kind: BareKind;
  /** Put at the end of the file in turn: clean, then an error. */
  readonly clean: string;
  readonly broken: string;
  prepare(root: string): void;
  argv(root: string): readonly [string, ...string[]];
  initializationOptions?(root: string): unknown;
}

const effectProject = (alias: string) => (root: string) => {
  cpSync(join(modules, 'effect/src'), join(root, 'src'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(modules, alias), join(root, 'node_modules/typescript'));
  writeFileSync(
    join(root, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2022',
        module: 'nodenext',
        skipLibCheck: true,
        noEmit: true,
        types: [],
      },
      include: ['src'],
    }),
  );
};

const typescript = {
  inputs: 'src/Option.ts of effect',
  file: 'src/Option.ts',
  languageId: 'typescript',
  clean: '\nexport const benchMark: number = 1\n',
  broken: '\nexport const benchMark: number = "x"\n',
};

const SETTINGS: readonly Setting[] = [
  {
    ...typescript,
    name: 'TypeScript 7',
    kind: 'pull',
    prepare: effectProject('typescript-7'),
    argv: () => [nativeTypescript(), '--lsp', '--stdio'],
  },
  {
    ...typescript,
    name: 'typescript-language-server, TypeScript 6',
    kind: 'tsserver',
    prepare: effectProject('typescript'),
    argv: () => [process.execPath, join(modules, 'typescript-language-server/lib/cli.mjs'), '--stdio'],
    initializationOptions: (root) => ({
      tsserver: { path: join(root, 'node_modules/typescript/lib/tsserver.js'), useSyntaxServer: 'never' },
      disableAutomaticTypingAcquisition: true,
    }),
  },
  {
    name: 'pyright',
    inputs: 'a module of 400 functions',
    file: 'shop.py',
    languageId: 'python',
    kind: 'pull',
    clean: '\nmark: int = 1\n',
    broken: '\nmark: int = "x"\n',
    prepare(root) {
      const functions = Array.from(
        { length: 400 },
        (_, index) => `def price_${index}(count: int) -> float:\n    return count * ${index}.5\n`,
      );
      writeFileSync(join(root, 'shop.py'), functions.join('\n\n'));
      writeFileSync(join(root, 'pyproject.toml'), '[project]\nname = "shop"\n');
    },
    argv: () => [process.execPath, join(modules, 'pyright/langserver.index.js'), '--stdio'],
  },
];

/** Warm post-edit diagnostics of the own file, after the commit, beside a bare client that sends the same change. */
export async function benchDiagnostics(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const setting of SETTINGS) rows.push(await benchOne(setting));
  return rows;
}

async function benchOne(setting: Setting): Promise<BenchRow> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-bench-')));
  setting.prepare(folder);
  const root = await openRoot({ root: folder });
  const bare = await BareClient.start(setting.argv(folder), folder, setting.initializationOptions?.(folder));
  try {
    const path = join(folder, setting.file);
    const base = readFileSync(path, 'utf8');
    await bare.open(path, setting.languageId, base);
    await bare.ask(path, setting.kind);

    let before = (await openSnapshot(root, path)) ?? fail('the file is not text');
    let receipt = 0;
    const turns = { ours: 0, bare: 0 };
    const bareTail = { line: base.split('\n').length - 1, character: base.length - (base.lastIndexOf('\n') + 1) };
    let bareTailText = '';

    const ours = async (): Promise<number> => {
      const tail = turns.ours++ % 2 === 0 ? setting.broken : setting.clean;
      const edits: readonly SpanEdit[] = [{ start: base.length, end: before.text.length, newText: tail }];
      const text = applySpanEdits(before.text, edits);
      writeFileSync(path, text);
      const after = root.documents.next(path, before, text);
      receipt += 1;
      const change = { receipt: `e${receipt}`, session: 'bench', before, after, edits };
      // Files that depend on the change come after its own; what they take is no part of this row.
      const report = await root.diagnostics.check([change], 60_000);
      const errors = report.state === 'fresh' ? report.introduced.length + report.open.length : -1;
      if (tail === setting.broken && errors !== 1) fail(`${setting.name}: ${errors} errors instead of 1`);
      before = after;
      return report.ownMs ?? report.ms;
    };
    const theirs = async (): Promise<number> => {
      const tail = turns.bare++ % 2 === 0 ? setting.broken : setting.clean;
      const lines = bareTailText.split('\n');
      const end = {
        line: bareTail.line + lines.length - 1,
        character: (lines.length === 1 ? bareTail.character : 0) + (lines.at(-1)?.length ?? 0),
      };
      const change = { range: { start: bareTail, end }, text: tail };
      const ms = await elapsed(() => bare.change(path, change, setting.kind));
      bareTailText = tail;
      return ms;
    };
    await sideBySide(WARM_UP_ROUNDS, ours, theirs);
    const timed = await sideBySide(ROUNDS, ours, theirs);
    return ratioRow({
      figure: `warm own-file diagnostics after the commit, ${setting.name}`,
      inputs: `${setting.inputs}, ${base.split('\n').length} lines, median of ${ROUNDS}`,
      ...timed,
      most: 1.1,
    });
  } finally {
    bare.stop();
    await root.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openSnapshot(root: Awaited<ReturnType<typeof openRoot>>, path: string) {
  const opened = await root.documents.open(path);
  return opened.status === 'open' ? opened.document.snapshot : undefined;
}

function nativeTypescript(): string {
  const wrapper = createRequire(join(modules, 'typescript-7/package.json'));
  const manifest = wrapper.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
  return join(dirname(manifest), 'lib/tsc');
}

function fail(message: string): never {
  throw new Error(message);
}
