import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenRoot } from '../../src/hosts/open-root.ts';
import type { Tool, ToolResult } from '../../src/tools/tool.ts';
import type { LanguageServer } from '../../src/workspace/language-server/language-server.ts';
import { BareClient } from '../bench/bare-client.ts';
import type { ToolRoom } from './tool-room.ts';
import { openToolRoom } from './tool-room.ts';

const MODULES = join(import.meta.dirname, '../../node_modules');

const TYPESCRIPT = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }',
  'src/shapes.ts': [
    'export interface Shape { area(): number }',
    'export class Square implements Shape {',
    '  area(): number { return 4; }',
    '}',
    'export function measure(shape: Shape): number { return shape.area(); }',
    '',
  ].join('\n'),
  // An emoji before the symbol, a tab, CRLF.
  'src/use.ts': [
    'import { measure, Square } from "./shapes.js";',
    "\tconst face = '😀é'; export const size = measure(new Square()) + face.length;",
    'function caller() { return measure(new Square()); }',
    'caller();',
    '',
  ].join('\r\n'),
};

const PYTHON = {
  'pyproject.toml': '[project]\nname = "shapes"\n',
  'shapes.py':
    'class Shape:\n    def area(self) -> int:\n        return 4\n\n\ndef measure(shape: Shape) -> int:\n    return shape.area()\n',
  'use.py':
    'from shapes import measure, Shape\r\nface = "😀é"; size = measure(Shape())\r\n\r\n\r\ndef caller():\r\n\treturn measure(Shape())\r\n\r\n\r\ncaller()\r\n',
};

const C = {
  'compile_flags.txt': '-xc\n',
  'shapes.h': 'int measure(int side);\n',
  'shapes.c': '#include "shapes.h"\nint measure(int side) { return side; }\n',
  'use.c':
    '#include "shapes.h"\r\nint caller(void) { const char *face = "😀é"; return measure(1) + *face; }\r\nint again(void) { return caller(); }\r\n',
};

/** A small project for each server: `measure` is declared in one file and used in another, behind an emoji. */
export const NAV_PROJECTS = {
  'TypeScript 7': { files: TYPESCRIPT, alias: 'typescript-7', declares: 'src/shapes.ts', uses: 'src/use.ts' },
  'typescript-language-server, TypeScript 6': {
    files: TYPESCRIPT,
    alias: 'typescript',
    declares: 'src/shapes.ts',
    uses: 'src/use.ts',
  },
  'typescript-language-server, TypeScript 5.9': {
    files: TYPESCRIPT,
    alias: 'typescript-5',
    declares: 'src/shapes.ts',
    uses: 'src/use.ts',
  },
  pyright: { files: PYTHON, alias: undefined, declares: 'shapes.py', uses: 'use.py' },
  clangd: { files: C, alias: undefined, declares: 'shapes.c', uses: 'use.c' },
} as const;

export type NavProjectName = keyof typeof NAV_PROJECTS;

export async function openNavRoom(
  name: NavProjectName,
  more: Readonly<Record<string, string>> = {},
): Promise<ToolRoom> {
  const { files, alias } = NAV_PROJECTS[name];
  const room = await openToolRoom({ ...files, ...more });
  if (alias !== undefined) linkPackage(room.folder, alias);
  return room;
}

export function linkPackage(folder: string, alias: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(MODULES, alias), join(folder, 'node_modules/typescript'));
}

/** Calls until the server has loaded: `pending` is an answer, and asking again is what it says to do. */
export async function callLoaded(room: Pick<ToolRoom, 'call'>, tool: Tool, args: unknown): Promise<ToolResult> {
  for (let tries = 0; ; tries += 1) {
    const result = await room.call(tool, args);
    if (result.receipt.why !== 'pending' || tries === 12) return result;
  }
}

/** The least client, on a server of its own, of the same program that the root's server runs. */
export async function bareClientBeside(
  root: OpenRoot,
): Promise<{ readonly bare: BareClient; readonly server: LanguageServer }> {
  const [server] = await root.diagnostics.runningServers();
  if (!server) throw new Error('no server runs');
  const { argv, root: folder, initializationOptions } = server.resolved;
  return { bare: await BareClient.start(argv, folder, initializationOptions), server };
}
