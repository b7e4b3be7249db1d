import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the licences of the packages that are in a bundle, as esbuild's metafiles name them. */
export async function writeThirdParty(file, root, metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(
    inputs.flatMap((input) => /^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  );
  const texts = await Promise.all([...folders].sort().map((folder) => noticeOf(join(root, folder))));
  await writeFile(file, texts.join(`\n${'-'.repeat(80)}\n\n`));
}

async function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const found = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (!found && !license) throw new Error(`${name} is bundled and says nothing of a licence`);
  const by = typeof author === 'string' ? author : author?.name;
  const text = found ? await readFile(join(folder, found), 'utf8') : `Licence: ${license}. Copyright: ${by ?? name}`;
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
