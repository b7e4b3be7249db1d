import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const pages = ['', 'docs'].flatMap((folder) =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(repository, folder, name)),
);

test.each(pages.map((page) => [relative(repository, page), page]))('each link of %s leads somewhere', (_name, page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https:)([^)#\s]+)/g)].map(([, link]) => link ?? '');
  expect(links.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
});

test('the index of the docs names each page', () => {
  const index = readFileSync(join(repository, 'docs/README.md'), 'utf8');
  const names = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(names.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});
