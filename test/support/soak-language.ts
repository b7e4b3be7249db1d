import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { uriOfPath } from '../../src/workspace/uri.ts';
import { BareClient } from '../bench/bare-client.ts';
import { type InstalledTypeScript, TSCONFIG } from './fixture-project.ts';
import { type Module, moduleText } from './generated-project.ts';

const MODULES = join(import.meta.dirname, '../../node_modules');

/** What a soak does in one language: how a module is written, and what others than emend say of it. */
export interface SoakLanguage {
  readonly name: string;
  /** What the server's command line has. */
  readonly program: string;
  readonly typescript?: InstalledTypeScript;
  readonly files: Readonly<Record<string, string>>;
  fileOf(index: number): string;
  text(index: number, module: Module): string;
  /** What a fresh compiler says of the whole project: `path line:column code`, sorted. */
  compiled(root: string): readonly string[];
  /** A client of its own on the same server, which opens each text anew. */
  bare(root: string): Promise<Bare>;
}

export interface Bare {
  /** The errors of a file as it stands, after these files (relative) were made, changed or deleted: `line:column code`. */
  errors(path: string, text: string, touched: readonly string[]): Promise<readonly string[]>;
  stop(): void;
}

const typescript = (name: string, program: string, installed: InstalledTypeScript): SoakLanguage => ({
  name,
  program,
  typescript: installed,
  files: { 'tsconfig.json': TSCONFIG },
  fileOf: (index) => `src/m${index}.ts`,
  text: moduleText,
  compiled: (root) => {
    const tsc = join(MODULES, 'typescript-7/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', root], { encoding: 'utf8', cwd: root });
    return [...stdout.matchAll(/^(\S+?)\((\d+),(\d+)\): error (TS\d+)/gm)]
      .map(([, path, line, column, code]) => `${path} ${line}:${column} ${code}`)
      .sort();
  },
  bare: async (root) => {
    const native = join(MODULES, `@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`);
    const lsp = join(MODULES, 'typescript-language-server/lib/cli.mjs');
    const argv =
      installed === 'typescript-7'
        ? ([native, '--lsp', '--stdio'] as const)
        : ([process.execPath, lsp, '--stdio'] as const);
    const options = {
      tsserver: { path: join(MODULES, installed, 'lib'), useSyntaxServer: 'never' },
      disableAutomaticTypingAcquisition: true,
    };
    const client = await BareClient.start([...argv], root, options);
    return bareOf(client, {
      root,
      languageId: 'typescript',
      prefix: 'TS',
      asks: installed === 'typescript-7' ? 'pull' : 'command',
    });
  },
});

const PYTHON_VALUES = { number: '1', string: "'x'" } as const;
const PYTHON_KINDS = { number: 'int', string: 'str' } as const;

export const SOAK_LANGUAGES: readonly SoakLanguage[] = [
  typescript('TypeScript 7', 'tsc --lsp', 'typescript-7'),
  typescript('TypeScript 6', 'typescript-language-server', 'typescript'),
  {
    name: 'Python',
    program: 'pyright',
    files: { 'pyproject.toml': '' },
    fileOf: (index) => `m${index}.py`,
    text: (index, module) =>
      [
        ...module.calls.map((call) => `from m${call.module} import f${call.module}`),
        '',
        `# ${module.comment}`,
        `def f${index}(value: ${PYTHON_KINDS[module.parameter]}) -> ${PYTHON_KINDS[module.result]}:`,
        `    return ${PYTHON_VALUES[module.returns]}`,
        '',
        ...module.calls.map((call, i) => `c${index}_${i} = f${call.module}(${PYTHON_VALUES[call.passes]})`),
        '',
      ].join('\n'),
    compiled: (root) => {
      const pyright = join(MODULES, 'pyright/index.js');
      const { stdout } = spawnSync(process.execPath, [pyright, '--outputjson'], {
        encoding: 'utf8',
        cwd: root,
        maxBuffer: 1 << 28,
      });
      const { generalDiagnostics } = JSON.parse(stdout) as {
        readonly generalDiagnostics: readonly {
          readonly file: string;
          readonly severity: string;
          readonly rule?: string;
          readonly range: { readonly start: { readonly line: number; readonly character: number } };
        }[];
      };
      return generalDiagnostics
        .filter(({ severity }) => severity === 'error')
        .map(
          ({ file, rule, range: { start } }) =>
            `${file.slice(root.length + 1)} ${start.line + 1}:${start.character + 1} ${rule}`,
        )
        .sort();
    },
    bare: async (root) => {
      const client = await BareClient.start(
        [process.execPath, join(MODULES, 'pyright/langserver.index.js'), '--stdio'],
        root,
      );
      return bareOf(client, { root, languageId: 'python', prefix: '', asks: 'pull' });
    },
  },
];

function bareOf(
  client: BareClient,
  how: {
    readonly root: string;
    readonly languageId: string;
    readonly prefix: string;
    readonly asks: 'pull' | 'command';
  },
): Bare {
  const command = (...args: readonly unknown[]): Promise<unknown> =>
    client.request('workspace/executeCommand', { command: 'typescript.tsserverRequest', arguments: args });
  return {
    async errors(path, text, touched) {
      const file = join(how.root, path);
      // Made, changed or deleted: whoever looks at the disk again finds out.
      const changes = touched.flatMap((name) =>
        [3, 1, 2].map((type) => ({ uri: uriOfPath(join(how.root, name)), type })),
      );
      await client.notify('workspace/didChangeWatchedFiles', { changes });
      await client.open(file, how.languageId, text);
      try {
        if (how.asks === 'command') return await tsserverErrors(command, file);
        const { items } = (await client.request('textDocument/diagnostic', {
          textDocument: { uri: uriOfPath(file) },
        })) as {
          readonly items: readonly PulledItem[];
        };
        return items
          .filter(({ severity }) => severity === 1)
          .map(({ range: { start }, code }) => `${start.line + 1}:${start.character + 1} ${how.prefix}${code}`)
          .sort();
      } finally {
        await client.notify('textDocument/didClose', { textDocument: { uri: uriOfPath(file) } });
      }
    },
    stop: () => client.stop(),
  };
}

interface PulledItem {
  readonly severity?: number;
  readonly code?: number | string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

async function tsserverErrors(
  command: (...args: readonly unknown[]) => Promise<unknown>,
  file: string,
): Promise<readonly string[]> {
  // It watches the disk by itself, and nothing says when it has seen a change.
  await command('reloadProjects', {});
  const found: string[] = [];
  for (const request of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
    const { body } = (await command(request, { file, includeLinePosition: true })) as {
      readonly body: readonly {
        readonly category: string;
        readonly code: number;
        readonly startLocation: { readonly line: number; readonly offset: number };
      }[];
    };
    for (const { category, code, startLocation } of body) {
      if (category === 'error') found.push(`${startLocation.line}:${startLocation.offset} TS${code}`);
    }
  }
  return found.sort();
}
