import { spawnSync } from 'node:child_process';
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
import { createSession } from '../../src/broker/session.ts';
import { createBroker } from '../../src/hosts/create-broker.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { writeTool } from '../../src/tools/write.ts';
import type { SpanEdit } from '../../src/workspace/span.ts';
import { applySpanEdits } from '../../src/workspace/span.ts';
import { BareClient, type BareKind } from './bare-client.ts';
import { type BenchRow, elapsed, limitRow, median, ratioRow, sideBySide } from './bench-row.ts';

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
  {
    name: 'clangd',
    inputs: 'a source of 400 functions',
    file: 'shop.cpp',
    languageId: 'cpp',
    kind: 'push',
    clean: '\nint mark = 1;\n',
    broken: '\nint mark = "x";\n',
    prepare(root) {
      const functions = Array.from(
        { length: 400 },
        (_, index) => `double price_${index}(int count) {\n  return count * ${index}.5;\n}\n`,
      );
      writeFileSync(join(root, 'shop.cpp'), functions.join('\n'));
      writeFileSync(join(root, 'compile_flags.txt'), '-std=c++17\n');
    },
    argv: () => [CLANGD ?? fail('clangd is not on PATH'), '--background-index=false', '--log=error'],
  },
];

/** Debian's package puts its version into the name. */
const CLANGD = ['clangd', 'clangd-19'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Warm post-edit diagnostics of the own file, after the commit, beside a bare client that sends the same change. */
export async function benchDiagnostics(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const setting of SETTINGS) {
    if (setting.name !== 'clangd' || CLANGD !== undefined) rows.push(await benchOne(setting));
  }
  return [...rows, ...(await benchCold()), ...(await benchHung())];
}

async function benchOne(setting: Setting): Promise<BenchRow> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-bench-')));
  setting.prepare(folder);
  const root = await openRoot({ root: folder });
  // At the priority that emend gives it: what is compared is the client.
  const argv = ['nice', '-n', '5', ...setting.argv(folder)] as const;
  const bare = await BareClient.start(argv, folder, setting.initializationOptions?.(folder));
  try {
    const path = join(folder, setting.file);
    const base = readFileSync(path, 'utf8');
    // What is pushed may come at once.
    const pushed = setting.kind === 'push' ? bare.ask(path, setting.kind) : undefined;
    await bare.open(path, setting.languageId, base);
    await (pushed ?? bare.ask(path, setting.kind));

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

const WAIT = 'an edit with the default budget';

/** An edit of a big project whose server was never started, and the edits after it. */
async function benchCold(): Promise<readonly BenchRow[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-bench-')));
  effectProject('typescript')(folder);
  const broker = await createBroker({ root: folder });
  const edit = (text: string): Promise<number> =>
    elapsed(() => broker.call('Write', { file_path: 'src/new.ts', content: text }));
  try {
    return waitRows('cold', await edit('export const a = 1;\n'), [
      await edit('export const a = 2;\n'),
      await edit('export const a = 3;\n'),
    ]);
  } finally {
    await broker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An edit whose server was stopped by a signal after it had answered, and the edits after it. */
async function benchHung(): Promise<readonly BenchRow[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-bench-')));
  writeFileSync(join(folder, 'tsconfig.json'), '{"compilerOptions":{"strict":true,"types":[]}}');
  const root = await openRoot({ root: folder });
  const session = createSession(root, 'bench');
  const edit = (content: string): Promise<number> =>
    elapsed(() => callTool([writeTool], { name: 'Write', args: { file_path: 'a.ts', content } }, { session }));
  try {
    await edit('export const a = 0;\n');
    await root.diagnostics.settle('bench', 60_000);
    const groups = (await root.diagnostics.runningServers()).flatMap(({ session: life }) => life?.pid ?? []);
    for (const group of groups) process.kill(-group, 'SIGSTOP');
    const first = await edit('export const a = 1;\n');
    const next = [await edit('export const a = 2;\n'), await edit('export const a = 3;\n')];
    for (const group of groups) process.kill(-group, 'SIGCONT');
    return waitRows('hung', first, next);
  } finally {
    await root.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function waitRows(what: string, first: number, next: readonly number[]): readonly BenchRow[] {
  return [
    limitRow({ figure: `an edit while its server is ${what}`, inputs: WAIT, ours: first, unit: 'ms', most: 3200 }),
    limitRow({ figure: `the next edits while it is ${what}`, inputs: WAIT, ours: median(next), unit: 'ms', most: 300 }),
  ];
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
