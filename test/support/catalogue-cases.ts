/** A project for one server of the catalogue, with a file that it finds broken and content. */
export interface CatalogueCase {
  readonly name: string;
  readonly path: string;
  readonly bad: string;
  readonly good: string;
  /** What it says of the broken text. */
  readonly says: RegExp;
  readonly files?: Readonly<Record<string, string>>;
  /** Packages that the project itself must have. */
  readonly libraries?: readonly { readonly name: string; readonly version: string }[];
  /** The server names another version than its package has. */
  readonly reportsOtherVersion?: true;
}

const STRICT = { 'tsconfig.json': '{"compilerOptions":{"strict":true}}' };
const debuggerCase = { path: 'a.js', bad: 'debugger;\n', good: 'foo();\n', says: /debugger/ } as const;

export const CATALOGUE_CASES: readonly CatalogueCase[] = [
  { name: 'json', path: 'a.json', bad: '{"a": }', good: '{"a": 1}', says: /Value expected/ },
  { name: 'css', path: 'a.css', bad: 'a { color }\n', good: 'a { color: red }\n', says: /colon expected/ },
  {
    name: 'html',
    path: 'a.html',
    bad: '<script>\nlet a = ;\n</script>\n',
    good: '<script>\nlet a = 1;\n</script>\n',
    says: /Expression expected/,
  },
  {
    name: 'eslint',
    ...debuggerCase,
    files: { 'eslint.config.mjs': 'export default [{ rules: { "no-debugger": "error" } }];\n' },
    libraries: [{ name: 'eslint', version: '9.39.5' }],
  },
  { name: 'yaml', path: 'a.yaml', bad: 'a: [1\n', good: 'a: [1]\n', says: /Flow sequence/ },
  {
    name: 'bash',
    path: 'a.sh',
    bad: '#!/bin/bash\nif true; then\necho "$HOME"\n',
    good: '#!/bin/bash\nif true; then\necho "$HOME"\nfi\n',
    says: /'fi'/,
  },
  { name: 'dockerfile', path: 'Dockerfile', bad: 'FORM alpine\n', good: 'FROM alpine\n', says: /FORM|source image/ },
  {
    name: 'docker-compose',
    path: 'compose.yaml',
    bad: 'services:\n  a:\n    image: [\n',
    good: 'services:\n  a:\n    image: b\n',
    says: /Flow sequence/,
  },
  {
    name: 'graphql',
    path: 'a.graphql',
    bad: 'query { nope }\n',
    good: 'query { hello }\n',
    says: /nope/,
    files: {
      'schema.graphql': 'type Query { hello: String }\n',
      '.graphqlrc.json': '{"schema":"schema.graphql","documents":"a.graphql"}',
    },
  },
  {
    name: 'prisma',
    path: 'schema.prisma',
    bad: 'model A {\n  id Int @id\n  b Bar\n}\n',
    good: 'model A {\n  id Int @id\n  b String\n}\n',
    says: /"Bar"/,
  },
  {
    name: 'svelte',
    path: 'a.svelte',
    bad: '<script lang="ts">\nlet a: number = "x";\n</script>\n<p>{a}</p>\n',
    good: '<script lang="ts">\nlet a: number = 1;\n</script>\n<p>{a}</p>\n',
    says: /not assignable/,
  },
  {
    name: 'astro',
    path: 'a.astro',
    bad: '---\nconst a: number = "x";\n---\n<p>{a}</p>\n',
    good: '---\nconst a: number = 1;\n---\n<p>{a}</p>\n',
    says: /not assignable/,
    files: STRICT,
  },
  { name: 'basedpyright', path: 'a.py', bad: 'a: int = "x"\n', good: 'a: int = 1\n', says: /not assignable/ },
  { name: 'biome-lsp', ...debuggerCase, files: { 'biome.json': '{}' } },
  { name: 'oxlint', ...debuggerCase, files: { '.oxlintrc.json': '{"rules":{"no-debugger":"error"}}' } },
  {
    name: 'gopls',
    path: 'a.go',
    bad: 'package a\n\nvar A int = "x"\n',
    good: 'package a\n\nvar A int = 1\n',
    says: /cannot use "x"/,
    files: { 'go.mod': 'module a\n\ngo 1.19\n' },
    reportsOtherVersion: true,
  },
  { name: 'clangd', path: 'a.cpp', bad: 'int a = b;\n', good: 'int a = 1;\n', says: /undeclared/ },
];
