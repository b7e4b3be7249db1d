import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createBroker } from '../../src/index.ts';
import { linkPackage } from '../support/nav-projects.ts';
import { makeProject } from '../support/project.ts';

const TS = {
  type: 'ts',
  comment: '//',
  wrong: "const s = '😀é'; const bad: number = s;",
  // TypeScript points at what is assigned to, pyright at what is assigned.
  character: 23,
  config: { 'tsconfig.json': '{"compilerOptions":{"strict":true,"types":[],"moduleDetection":"force"}}' },
} as const;
const PY = {
  type: 'py',
  comment: '#',
  wrong: 's = "😀é"; bad: int = s',
  character: 22,
  config: { 'pyproject.toml': '[project]\nname = "p"\n' },
} as const;

const CASES = [
  { name: 'TypeScript 7', alias: 'typescript-7', ...TS },
  { name: 'TypeScript 6', alias: 'typescript', ...TS },
  { name: 'TypeScript 5.9', alias: 'typescript-5', ...TS },
  { name: 'Python', alias: undefined, ...PY },
] as const;

const FORMS = [
  ['lf', '', '\n'],
  ['crlf', '', '\r\n'],
  ['mark_crlf', '\ufeff', '\r\n'],
  ['mark_lf', '\ufeff', '\n'],
] as const;

test.each(CASES)(
  'an error behind an emoji has its exact UTF-16 place, and files keep their line ends and marks: $name',
  { timeout: 120_000 },
  async ({ alias, type, comment, wrong, character, config }) => {
    const place = `${comment} PLACE`;
    const texts = FORMS.map(([form, mark, eol]) => ({
      file: `${form}.${type}`,
      text: [`${mark}${comment} été 表`, place, `${comment} end`, ''].join(eol),
    }));
    const files = Object.fromEntries(texts.map(({ file, text }) => [file, text]));
    const project = makeProject({ ...files, ...config });
    if (alias) linkPackage(project.root, alias);
    const broker = await createBroker({ root: project.root, diagnosticsBudgetMs: 60_000 });
    onTestFinished(() => broker.close());
    for (const { file, text } of texts) {
      const { receipt } = await broker.call('Edit', { file_path: file, old_string: place, new_string: wrong });
      expect(receipt.diagnostics).toMatchObject({ state: 'fresh', before: 0 });
      const starts = receipt.diagnostics?.introduced.map((one) => [one.path, one.range.start]);
      expect(starts).toEqual([[file, { line: 1, character }]]);
      expect(readFileSync(project.path(file), 'utf8')).toBe(text.replace(place, wrong));
    }
  },
);
