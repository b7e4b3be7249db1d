import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { globTool } from '../../src/tools/glob.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

/**
 * Searches as a model writes them, beside what bare rg and find know. What is held against each other is only whether
 * there is something: where they know of anything, an answer must show it, or say that it was left out and why.
 */

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  '.gitignore': 'dist/\nnode_modules/\n*.log\n.venv/\n',
  '.env': 'API_KEY=secret\n',
  '.github/workflows/ci.yml': 'run: npm test -- --coverage\n',
  'README.md': '# Demo\n\nSee `src/auth.ts` (v1.2.3) → login.\n',
  'package.json': '{ "name": "demo", "scripts": { "build": "tsc -p ." } }\n',
  'src/auth.ts': 'export function check(t: Token): boolean {\n  if (t.exp < now) return false;\n  return true;\n}\n',
  'src/api/login.ts':
    "import { check } from '../auth';\nexport const login = async (u: User) => {\n  // TODO: rate limit\n  await check(u.token);\n};\n",
  'src/api/[id]/page.tsx':
    'export default function Page({ params }) { return <div className="a b">{params.id}</div>; }\n',
  'src/util/format.ts': 'export const money = (n: number) => `$${n.toFixed(2)}`;\r\nexport const x = {};\r\n',
  'src/legacy.py': 'def __init__(self, *args, **kwargs):\n    print("a\\tb")\n    return x[0] + y[1]\n',
  'test/auth.test.ts': "describe('check', () => { it('works', () => expect(check(t)).toBe(true)); });\n",
  'lib/Main.java': 'public class Main<T extends Comparable<T>> {\n  /* multi\n     line */\n}\n',
  'lib/main.go': 'func (s *Server) Handle(w http.ResponseWriter) interface{} { return nil }\n',
  'lib/vec.rs': "impl<'a> Iterator for It<'a> { fn next(&mut self) -> Option<&'a str> { None } }\n",
  'lib/big.min.js': `${'var a=1;'.repeat(40_000)}NEEDLE=2;${'b();'.repeat(10_000)}\n`,
  'docs/große übersicht.md': 'Größe: 5 €\nnaïve café\n',
  'docs/utf16.txt': Buffer.from('\ufeffwide text here\n', 'utf16le'),
  'docs/nul.dat': 'first line\nTOKEN early\n\0\0\nTOKEN late\n',
  'docs/latin1.txt': Buffer.from('caf\xe9 au lait\n', 'latin1'),
  'dist/bundle.js': 'function check(){return "bundled"}\n',
  'node_modules/dep/index.js': 'module.exports = "dep only";\n',
  'server.log': 'ERROR only in the log\n',
  '.venv/lib/site.py': 'VENV_ONLY = 1\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
};

let room: ToolRoom;
beforeAll(async () => {
  room = await openToolRoom(FILES);
  symlinkSync('src', join(room.folder, 'linked'));
  symlinkSync('nowhere', join(room.folder, 'broken'));
  mkdirSync(join(room.folder, 'empty'));
  writeFileSync(join(room.folder, 'zero.txt'), '');
});
afterAll(() => room.close());

const grepping: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
  [{ pattern: 'check' }, ['-e', 'check', '.']],
  [{ pattern: 'function check\\(' }, ['-e', 'function check\\(', '.']],
  [{ pattern: 'check(', output_mode: 'content' }, ['-F', '-e', 'check(', '.']],
  [{ pattern: 't.exp < now' }, ['-e', 't.exp < now', '.']],
  [{ pattern: 'TODO|FIXME', output_mode: 'content' }, ['-e', 'TODO|FIXME', '.']],
  [{ pattern: 'todo', '-i': true }, ['-i', '-e', 'todo', '.']],
  [{ pattern: '--coverage' }, ['-.', '-e', '--coverage', '.']],
  [{ pattern: '-> Option' }, ['-e', '-> Option', '.']],
  [{ pattern: 'interface{}' }, ['-F', '-e', 'interface{}', '.']],
  [{ pattern: '\\$\\{n\\.toFixed' }, ['-e', '\\$\\{n\\.toFixed', '.']],
  [{ pattern: '\\*\\*kwargs' }, ['-e', '\\*\\*kwargs', '.']],
  [{ pattern: 'x\\[0\\]' }, ['-e', 'x\\[0\\]', '.']],
  [{ pattern: "impl<'a>" }, ['-e', "impl<'a>", '.']],
  [{ pattern: 'className="a b"' }, ['-e', 'className="a b"', '.']],
  [{ pattern: 'x = \\{\\};$' }, ['--crlf', '-e', 'x = \\{\\};$', '.']],
  [{ pattern: 'multi\\n\\s+line' }, ['-U', '-e', 'multi\\n\\s+line', '.']],
  [{ pattern: 'multi\n     line' }, ['-U', '-e', 'multi\\n     line', '.']],
  [{ pattern: 'async.*check', multiline: true }, ['-U', '--multiline-dotall', '-e', 'async.*check', '.']],
  [{ pattern: 'check(?=\\()' }, ['-P', '-e', 'check(?=\\()', '.']],
  [{ pattern: '(?<!un)check' }, ['-P', '-e', '(?<!un)check', '.']],
  [{ pattern: 'NEEDLE', output_mode: 'content' }, ['-l', '-e', 'NEEDLE', '.']],
  [{ pattern: 'Größe' }, ['-e', 'Größe', '.']],
  [{ pattern: 'wide text' }, ['-e', 'wide text', '.']],
  [{ pattern: 'TOKEN late' }, ['-a', '-e', 'TOKEN late', '.']],
  [{ pattern: 'API_KEY' }, ['-.', '-e', 'API_KEY', '.']],
  [{ pattern: 'dep only' }, ['-uu', '-e', 'dep only', '.']],
  [{ pattern: 'ERROR only' }, ['-uu', '-e', 'ERROR only', '.']],
  [{ pattern: 'bundled', path: 'dist' }, ['-e', 'bundled', 'dist']],
  [{ pattern: 'VENV_ONLY', no_ignore: true }, ['-uu', '-e', 'VENV_ONLY', '.']],
  [{ pattern: 'check', path: 'src/auth.ts' }, ['-e', 'check', 'src/auth.ts']],
  [{ pattern: 'check', path: './src/' }, ['-e', 'check', './src/']],
  [{ pattern: 'check', path: 'linked' }, ['-e', 'check', 'linked/']],
  [{ pattern: 'check', glob: '*.ts' }, ['-g', '*.ts', '-e', 'check', '.']],
  [{ pattern: 'check', glob: 'src/**/*.ts' }, ['-g', 'src/**/*.ts', '-e', 'check', '.']],
  [{ pattern: 'check', glob: '**/*.{ts,tsx}' }, ['-g', '**/*.{ts,tsx}', '-e', 'check', '.']],
  [{ pattern: 'check', glob: 'src/' }, ['-e', 'check', 'src']],
  [{ pattern: 'check', type: 'ts', output_mode: 'count' }, ['-t', 'ts', '-e', 'check', '.']],
  [{ pattern: 'check', glob: '!*.test.ts' }, ['-g', '!*.test.ts', '-e', 'check', '.']],
];

const globbing: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
  [{ pattern: '**/*.ts' }, ['-name', '*.ts']],
  [{ pattern: '*.ts' }, ['-name', '*.ts']],
  [{ pattern: 'src/*.ts' }, ['-path', './src/*.ts']],
  [{ pattern: './src/**' }, ['-path', './src/*']],
  [{ pattern: 'src/' }, ['-path', './src/*']],
  [{ pattern: '**/page.tsx' }, ['-name', 'page.tsx']],
  [{ pattern: 'src/api/[id]/*' }, ['-path', './src/api/\\[id\\]/*']],
  [{ pattern: '.github/**/*.yml' }, ['-path', './.github/*.yml']],
  [{ pattern: 'node_modules/**/index.js' }, ['-path', './node_modules/*index.js']],
  [{ pattern: '**/bundle.js' }, ['-name', 'bundle.js']],
  [{ pattern: '*.{java,go,rs}' }, ['-name', '*.java']],
  [{ pattern: '**/*übersicht*' }, ['-name', '*bersicht*']],
];

describe('where bare rg knows of something, Grep does not say that there is nothing', () => {
  test.each(grepping)('%j', async (args, bare) => {
    const known = output(rgPath, ['--no-config', '-l', ...bare])
      .split('\n')
      .filter(Boolean);
    expect(known.length).toBeGreaterThan(0);
    const { ok, text } = await room.call(grepTool, args);
    if (!ok) expect(text).toMatch(/As plain text: /);
    else expect(text).toMatch(/^(?!\(none)|(?:ignored|binary) files? match/);
  });
});

describe('where find knows of something, Glob does not say that there is nothing', () => {
  test.each(globbing)('%j', async (args, bare) => {
    const known = output('find', ['.', '-type', 'f', ...bare])
      .split('\n')
      .filter(Boolean);
    expect(known.length).toBeGreaterThan(0);
    const { ok, text } = await room.call(globTool, args);
    expect(ok).toBe(true);
    expect(text).toMatch(/^(?!\(none)|ignored paths? also match/);
  });
});

test('there are fifty', () => {
  expect(grepping.length + globbing.length).toBe(50);
});

function output(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: room.folder, encoding: 'utf8' });
}
