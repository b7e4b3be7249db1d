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
  'src/more.ts':
    'import { type Shape, Square } from "./shapes.js";\r\n\tconst face = "😀é"; export const box: Shape = new Square(); box.area();\r\n',
};

const PYTHON = {
  'pyproject.toml': '[project]\nname = "shapes"\n',
  'shapes.py':
    'class Shape:\n    def area(self) -> int:\n        return 4\n\n\ndef measure(shape: Shape) -> int:\n    return shape.area()\n',
  'use.py':
    'from shapes import measure, Shape\r\nface = "😀é"; size = measure(Shape())\r\n\r\n\r\ndef caller():\r\n\treturn measure(Shape())\r\n\r\n\r\ncaller()\r\n',
  'more.py': 'from shapes import Shape\r\nface = "😀é"; box = Shape(); box.area()\r\n',
};

const C = {
  'compile_flags.txt': '-xc\n',
  'shapes.h': 'int measure(int side);\n',
  'shapes.c': '#include "shapes.h"\nint measure(int side) { return side; }\n',
  'use.c':
    '#include "shapes.h"\r\nint caller(void) { const char *face = "😀é"; return measure(1) + *face; }\r\nint again(void) { return caller(); }\r\n',
  'more.c':
    'struct Shape { int side; };\r\nint area(void) { const char *face = "😀é"; struct Shape box = {4}; return box.side + *face; }\r\n',
};

const CPP = {
  'compile_flags.txt': '-xc++\n',
  'shapes.h':
    'struct Shape { virtual int area() const = 0; };\nstruct Square : Shape { int area() const override; };\nint measure(const Shape &shape);\n',
  'shapes.cpp':
    '#include "shapes.h"\nint Square::area() const { return 4; }\nint measure(const Shape &shape) { return shape.area(); }\n',
  'use.cpp':
    '#include "shapes.h"\r\nint caller() { const char *face = "😀é"; return measure(Square()) + *face; }\r\nint again() { return caller(); }\r\n',
  'more.cpp':
    '#include "shapes.h"\r\nint more() { const char *face = "😀é"; Square box; const Shape &same = box; return same.area() + *face; }\r\n',
};

const GO = {
  'go.mod': 'module example.com/shapes\n\ngo 1.16\n',
  'shapes.go':
    'package shapes\n\ntype Shape interface{ Area() int }\n\ntype Square struct{}\n\nfunc (Square) Area() int { return 4 }\n\nfunc measure(shape Shape) int { return shape.Area() }\n',
  'use.go':
    'package shapes\r\n\r\nvar face, size = "😀é", measure(Square{})\r\n\r\nfunc caller() int {\r\n\treturn measure(Square{})\r\n}\r\n\r\nvar again = caller()\r\n',
  'more.go': 'package shapes\r\n\r\nvar tip, box = "😀é", Square{}\r\n\r\nfunc open() Shape { return box }\r\n',
};

/** A small project for each server: `measure` is declared in one file and used in two, behind an emoji. */
export interface NavProject {
  readonly files: Readonly<Record<string, string>>;
  /** The installed TypeScript that the project has. */
  readonly alias?: string;
  readonly declares: string;
  readonly uses: string;
  /** Where `box` is of the type `Shape` or `Square`. */
  readonly types: string;
}

const TYPESCRIPT_PLACES = {
  files: TYPESCRIPT,
  declares: 'src/shapes.ts',
  uses: 'src/use.ts',
  types: 'src/more.ts',
} as const satisfies NavProject;

export const NAV_PROJECTS = {
  'TypeScript 7': { ...TYPESCRIPT_PLACES, alias: 'typescript-7' },
  'typescript-language-server, TypeScript 6': { ...TYPESCRIPT_PLACES, alias: 'typescript' },
  'typescript-language-server, TypeScript 5.9': { ...TYPESCRIPT_PLACES, alias: 'typescript-5' },
  pyright: { files: PYTHON, declares: 'shapes.py', uses: 'use.py', types: 'more.py' },
  clangd: { files: C, declares: 'shapes.c', uses: 'use.c', types: 'more.c' },
  'clangd, C++': { files: CPP, declares: 'shapes.cpp', uses: 'use.cpp', types: 'more.cpp' },
  gopls: { files: GO, declares: 'shapes.go', uses: 'use.go', types: 'more.go' },
} as const satisfies Readonly<Record<string, NavProject>>;

export type NavProjectName = keyof typeof NAV_PROJECTS;

export async function openNavRoom(
  name: NavProjectName,
  more: Readonly<Record<string, string>> = {},
): Promise<ToolRoom> {
  const { files, alias }: NavProject = NAV_PROJECTS[name];
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
