import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { installServer } from '../../src/hosts/install-server.ts';
import { shippedServerDefinitions } from '../../src/workspace/language-server/disk-server-definitions.ts';
import { diskServerMachine } from '../../src/workspace/language-server/disk-server-machine.ts';
import { boardRun } from '../support/board-run.ts';
import { CATALOGUE_CASES, type CatalogueCase } from '../support/catalogue-cases.ts';
import { fixtureProject } from '../support/fixture-project.ts';

/** `EMEND_CATALOGUE` names a folder whose installed servers are used again. */
const kept = process.env.EMEND_CATALOGUE;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'emend-catalogue-'));
const machine = { ...diskServerMachine(), serversFolder: folder };
const rows: string[] = [];

afterAll(() => {
  console.log(['server version: broken in, mended in ms', ...rows].join('\n'));
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  // Seventeen trees of packages, on a disk that may be busy.
}, 600_000);

/** Needs npm's registry, and for those found on PATH the Debian packages that their definitions name. */
describe.each(CATALOGUE_CASES)('$name', (one) => {
  test('finds what is broken, and is content when it is mended, four times over', { timeout: 300_000 }, async () => {
    const definition = (await shippedServerDefinitions()).find(({ name }) => name === one.name);
    if (!definition) throw new Error(`${one.name} is not in the catalogue`);
    if (definition.npm.length > 0 && (await isMissing(definition.name))) {
      expect(await installServer(definition, { folder, nodeVersion: process.version })).toMatchObject({
        status: 'installed',
      });
    }
    const project = fixtureProject({ ...one.files, [one.path]: one.good });
    for (const library of one.libraries ?? []) link(project.root, library);
    const run = boardRun({ root: project.root, definitions: [definition], machine });
    const path = project.path(one.path);
    try {
      await run.board.inspect(run.snapshot(path), 120_000);
      const times: number[] = [];
      for (let round = 0; round < 4; round++) {
        const broken = await run.write(path, one.bad + '\n'.repeat(round));
        expect(broken, one.name).toMatchObject({ state: 'fresh', before: 0, fixed: [] });
        expect(broken.introduced.map(({ message }) => message).join('\n')).toMatch(one.says);
        const mended = await run.write(path, one.good + '\n'.repeat(round));
        expect(mended).toMatchObject({ state: 'fresh', before: 0, introduced: [], open: [] });
        expect(mended.fixed.length).toBe(broken.introduced.length);
        times.push(broken.ms, mended.ms);
        const [server] = mended.servers;
        if (round === 3) rows.push(`${one.name} ${server?.version ?? '(no version)'}: ${times.join(' ')}`);
        const reported = server?.version ?? definition.verified;
        expect(reported.includes(definition.verified) || one.reportsOtherVersion === true, reported).toBe(true);
      }
    } finally {
      await run.board.close();
      project.remove();
    }
  });
});

async function isMissing(name: string): Promise<boolean> {
  return !(await machine.exists(join(folder, name, 'node_modules')));
}

/** Installs a library of a project once, and links it into this one. */
function link(root: string, { name, version }: NonNullable<CatalogueCase['libraries']>[number]): void {
  const own = join(folder, `library-${name}`);
  mkdirSync(own, { recursive: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefer-offline'];
  execFileSync('npm', ['install', '--prefix', own, ...flags, `${name}@${version}`], { cwd: own, stdio: 'ignore' });
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  symlinkSync(join(own, 'node_modules', name), join(root, 'node_modules', name));
}
