import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseHTML } from 'linkedom';
import { describe, expect, test, vi } from 'vitest';
import { buildReport } from '../../../src/hosts/report/build-report.ts';
import { readCallText } from '../../../src/hosts/report/call-texts.ts';
import { createCellMeasures } from '../../../src/hosts/report/cell-measures.ts';
import { compareCells } from '../../../src/hosts/report/compare-cells.ts';
import { findJournals } from '../../../src/hosts/report/find-journals.ts';
import { studentT } from '../../../src/hosts/report/student-t.ts';
import { report } from '../../../src/hosts/report.ts';

interface Line {
  readonly ok?: boolean;
  readonly code?: string;
  readonly via?: string;
  readonly path?: string;
  readonly ms?: number;
  readonly text?: string;
  readonly introduced?: number;
  readonly fixed?: number;
  readonly late?: readonly object[];
  readonly servers?: readonly object[];
  readonly session?: string;
  readonly root?: string;
}

/** A folder with a journal of these calls, with their texts beside it. */
function journalOf(
  lines: readonly (Line | string)[],
  folder = mkdtempSync(join(tmpdir(), 'emend-report-test-')),
): string {
  const put = (text: string): string => {
    const hash = createHash('sha256').update(text).digest('hex');
    mkdirSync(join(folder, 'blobs', hash.slice(0, 2)), { recursive: true });
    writeFileSync(join(folder, 'blobs', hash.slice(0, 2), hash.slice(2)), text);
    return hash;
  };
  const records = lines.map((line, index) => {
    if (typeof line === 'string') return line;
    const { ok = true, code, via = 'exact', path = 'a.ts', ms = 10, text = 'done', introduced = 0, fixed = 0 } = line;
    const { late, servers = [], session = 's', root = '/r' } = line;
    return JSON.stringify({
      ...{ format: 1, emend: '0.1.0', time: new Date(1e12 + index * 1000).toISOString(), root, session },
      ...{ called: 'Edit', tool: 'Edit', receipt: `e${index + 1}`, ok, ...(code && { code }) },
      ...{ args: put(`{"n":${index}}`), result: put(text), bytes: { whole: 100, shown: 90 } },
      ...{ looked: [{ path, sha256: null }], ms },
      files: ok ? [{ path, op: 'edit', before: null, after: null, matched_via: via }] : [],
      diagnostics: { state: 'fresh', ms: 5, introduced, fixed, servers },
      ...(late && { late }),
    });
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'journal.jsonl'), `${records.join('\n')}\n`);
  return join(folder, 'journal.jsonl');
}

const setOf = async (label: string, ...paths: readonly string[]) => ({ label, journals: await findJournals(paths) });

describe('a report', () => {
  test('counts what the journal says: matches, refusals and recovery, errors and how long they stayed', async () => {
    const journal = journalOf([
      { via: 'exact', introduced: 2 },
      { ok: false, code: 'no_match' },
      { ok: false, code: 'loop_blocked' },
      { via: 'line-trimmed', fixed: 2, ms: 90 },
      { ok: false, code: 'no_match', path: 'b.ts' },
    ]);
    const { run } = await buildReport({ set: await setOf('one', journal), tokens: 'all' });
    expect(run).toMatchObject({ calls: 5, failed: 3, introduced: 2, fixed: 2, open: 0, waitedMs: 25, cutBytes: 50 });
    expect(run.matchedVia.map(({ name, count }) => [name, count])).toEqual([
      ['exact', 1],
      ['line-trimmed', 1],
    ]);
    expect(run.refusals.map(({ name, count, recovered, never }) => ({ name, count, recovered, never }))).toEqual([
      { name: 'no_match', count: 2, recovered: 1, never: 1 },
      { name: 'loop_blocked', count: 1, recovered: 1, never: 0 },
    ]);
    expect(run.refusals[0]?.callsUntil.worst).toBe(2);
    expect(run.loops.calls.map(({ receipt }) => receipt)).toEqual(['e3']);
    expect(run.errors.stayCalls.worst).toBe(3);
    expect(run.tools[0]).toMatchObject({ name: 'Edit', worst: 90, tokens: { counted: 5 } });
    expect(run.fought.files.map(({ path, refusals }) => [path, refusals])).toEqual([
      ['a.ts', 2],
      ['b.ts', 1],
    ]);
  });

  test('counts what was told late, and for each server what was waited for it', async () => {
    const servers = [
      { name: 'typescript', version: null, state: 'fresh', waited_ms: 3 },
      { name: 'eslint', version: null, state: 'unavailable' },
    ];
    const journal = journalOf([
      { servers },
      {
        late: [{ receipt: 'e1', introduced: 2, fixed: 0 }],
        servers: [{ name: 'older', version: null, state: 'fresh' }],
      },
      { fixed: 2 },
    ]);
    const { run } = await buildReport({ set: await setOf('late', journal), tokens: 'none' });
    expect(run).toMatchObject({ introduced: 2, fixed: 2, open: 0 });
    expect(run.errors.late.calls.map(({ receipt }) => receipt)).toEqual(['e2']);
    expect(run.errors.stayCalls.worst).toBe(1);
    expect(run.waits.filter(({ kind }) => kind === 'server').map(({ name, waitedMs }) => [name, waitedMs])).toEqual([
      ['typescript', 3],
      ['older', 5],
    ]);
  });

  test('the errors that are open over time are those of the run: a fix of an older one takes none of them away', async () => {
    const journal = journalOf([{ fixed: 3 }, { introduced: 4 }, { fixed: 1 }]);
    const { run } = await buildReport({ set: await setOf('older', journal), tokens: 'none' });
    expect(run).toMatchObject({ introduced: 4, fixed: 4, open: 3 });
    const open = run.timeline.bins.reduce((sum, { introduced, closed }) => sum + introduced - closed, 0);
    expect(open).toBe(3);
  });

  test('an error that one session brings and another mends is open no more; that of another root is', async () => {
    const mended = journalOf([{ introduced: 1 }, { session: 't', fixed: 1 }]);
    const { run } = await buildReport({ set: await setOf('mended', mended), tokens: 'none' });
    expect(run).toMatchObject({ introduced: 1, fixed: 1, open: 0 });
    const elsewhere = journalOf([{ introduced: 1 }, { root: '/other', fixed: 1 }]);
    const { run: other } = await buildReport({ set: await setOf('elsewhere', elsewhere), tokens: 'none' });
    expect(other.open).toBe(1);
  });

  test('a place where nothing can be made is told before anything is read, and nothing is left there', async () => {
    const journal = journalOf([{}]);
    await expect(report([journal], { output: '/proc/report.html' })).rejects.toThrow(
      /^-o \/proc\/report\.html: it can't be written \(.*\)\. Name another file\.$/,
    );
    const folder = dirname(journal);
    await expect(report([journal], { output: join(folder, 'p.html'), tokens: 'some' })).rejects.toThrow(
      /--tokens some/,
    );
    expect(readdirSync(folder)).not.toContain('p.html');
  });

  test('what can not be written is told before anything is read, and a journal is never written over', async () => {
    const journal = journalOf([{}]);
    const folder = dirname(journal);
    const text = readFileSync(journal, 'utf8');
    symlinkSync(journal, join(folder, 'link.html'));
    const refused = (output: string) => expect(report([folder], { output })).rejects;
    await refused(journal).toThrow(/journal\.jsonl is one of the journals: the page would write over it\. Name/);
    await refused(join(folder, 'link.html')).toThrow(/is one of the journals/);
    await refused(folder).toThrow(/is no file\. Name the page to write, as .*\/report\.html\.$/);
    await refused(join(folder, 'no/such/page.html')).toThrow(/there is no folder .*no\/such\. Make it, or/);
    expect(readFileSync(journal, 'utf8')).toBe(text);
  });

  test('the terminal says how much was skipped', async () => {
    const journal = journalOf([{}, '{"format":1, cut', '{"format":2}', 'null']);
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await report([journal], { output: join(dirname(journal), 'report.html'), tokens: 'none' });
    const told = String(write.mock.calls.at(-1)?.[0]);
    write.mockRestore();
    expect(told).toMatch(/report\.html: 1 call, 3 lines skipped \(2 broken, 1 of another format\)\n$/);
  });

  test('is a page without a script, whose links all lead somewhere and whose hostile names are text', async () => {
    const hostile = '<img src=x onerror=alert(1)>"\u202e';
    const journal = journalOf([
      { path: hostile, code: '<script>', ok: false, text: '</pre><script>alert(1)</script>' },
      { path: hostile, via: '"><svg onload=alert(1)>' },
      '{"format":1, cut',
      '{"format":2}',
      `{"format":1,"x":"${'y'.repeat(1_100_000)}"}`,
      { path: 'p'.repeat(50_000) },
    ]);
    const output = join(mkdtempSync(join(tmpdir(), 'emend-report-page-')), 'report.html');
    expect(await report([journal], { output })).toBe(0);
    const page = readFileSync(output, 'utf8');
    const { document } = parseHTML(page);
    expect(page.length).toBeLessThan(400_000);
    expect(document.querySelectorAll('script, img, iframe, object, link, [onload], [onerror]')).toHaveLength(0);
    expect(document.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain("default-src 'none'");
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
    expect(page).not.toContain('\u202e');
    expect(document.querySelector('.notice')?.textContent).toBe(
      'Not in the figures: 1 broken lines; 1 lines of another version of the journal; 1 lines of over 1 MB.',
    );
    const ids = new Set([...document.querySelectorAll('[id]')].map(({ id }) => id));
    const targets = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')?.slice(1) ?? '');
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
    for (const chart of document.querySelectorAll('svg')) {
      expect([chart.getAttribute('role'), chart.getAttribute('aria-label')]).toEqual(['img', expect.any(String)]);
    }
    for (const table of document.querySelectorAll('table')) expect(table.querySelector('caption')).not.toBeNull();
  });
});

describe('the journals of a set', () => {
  const found = async (...paths: readonly string[]) =>
    (await findJournals(paths)).map(({ name, files }) => [name, files.length]);
  const tree = (...cells: readonly string[]): string => {
    const folder = mkdtempSync(join(tmpdir(), 'emend-report-tree-'));
    for (const cell of cells) journalOf([{}], join(folder, cell));
    return folder;
  };

  test('have the same names whichever else are there, so that those of one task pair', async () => {
    const all = await found(tree('django/1', 'django/2', 'flask/1'));
    const some = await found(tree('django/1', 'django/2'));
    expect(all.map(([name]) => name)).toEqual(['django/1', 'django/2', 'flask/1']);
    expect(some.map(([name]) => name)).toEqual(['django/1', 'django/2']);
  });

  test('are named without what emend makes of the path of a root, unless only that tells them apart', async () => {
    const [one, other, third] = ['0123456789abcdef', 'fedcba9876543210', '00000000ffffffff'];
    expect(await found(tree(`a/emend/${one}`, `b/emend/${other}`))).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(await found(tree(`a/emend/${one}`, `a/emend/${third}`))).toEqual([
      [`a/emend/${third}`, 1],
      [`a/emend/${one}`, 1],
    ]);
  });

  test('of folders that are named one by one are told apart', async () => {
    const folder = tree('a/x', 'b/x');
    expect(await found(join(folder, 'a/x'), join(folder, 'b/x'))).toEqual([
      ['a/x', 1],
      ['b/x', 1],
    ]);
    expect(await found(join(folder, 'a'), join(folder, 'b'))).toEqual([
      ['a/x', 1],
      ['b/x', 1],
    ]);
  });

  test('are each read once: by two names, by a link, and with the older part named too', async () => {
    const folder = tree('a');
    const journal = join(folder, 'a/journal.jsonl');
    writeFileSync(`${journal}.1`, readFileSync(journal));
    symlinkSync('a', join(folder, 'latest'));
    symlinkSync('.', join(folder, 'round'));
    expect(await found(folder)).toEqual([['a', 2]]);
    expect(await found(`${journal}.1`, journal, join(folder, 'latest'), folder)).toEqual([['a', 2]]);
  });

  test('are found behind a link to a folder', async () => {
    const [folder, elsewhere] = [tree('a'), tree('b')];
    symlinkSync(join(elsewhere, 'b'), join(folder, 'linked'));
    expect(await found(folder)).toEqual([
      ['a', 1],
      ['linked', 1],
    ]);
  });

  test('may be packed; what is cut off is said, and what was before it counts', async () => {
    const folder = tree('a');
    const journal = join(folder, 'a/journal.jsonl');
    const packed = gzipSync(readFileSync(journal));
    rmSync(journal);
    writeFileSync(`${journal}.gz`, packed);
    const { run } = await buildReport({ set: await setOf('gz', folder), tokens: 'none' });
    expect(run).toMatchObject({ calls: 1, skipped: { unreadable: 0, broken: 0 } });
    writeFileSync(`${journal}.gz`, packed.subarray(0, packed.length - 4));
    const { run: cut } = await buildReport({ set: await setOf('gz', folder), tokens: 'none' });
    expect(cut).toMatchObject({ calls: 1, skipped: { unreadable: 1 } });
  });

  test('whose long names begin in the same way lead each to its own calls', async () => {
    const long = `${'n'.repeat(70)}/${'m'.repeat(70)}`;
    const folder = mkdtempSync(join(tmpdir(), 'emend-report-long-'));
    journalOf([{ text: 'said in one' }], join(folder, `${long}-1`));
    journalOf([{ text: 'said in two' }], join(folder, `${long}-2`));
    const output = join(folder, 'report.html');
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await report([folder], { output, tokens: 'none' });
    write.mockRestore();
    const page = readFileSync(output, 'utf8');
    expect(page).toContain('said in one');
    expect(page).toContain('said in two');
  });

  test('a text that is a pipe or a link keeps nobody waiting and shows nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'emend-report-pipe-'));
    const [pipe, link] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const name of ['aa', 'bb']) mkdirSync(join(folder, name));
    execFileSync('mkfifo', [join(folder, 'aa', pipe.slice(2))]);
    writeFileSync(join(folder, 'secret'), 's'.repeat(300_000));
    symlinkSync(join(folder, 'secret'), join(folder, 'bb', link.slice(2)));
    expect(await readCallText(folder, pipe)).toBeUndefined();
    expect(await readCallText(folder, link)).toBeUndefined();
  });
});

describe('a comparison', () => {
  const cells = (name: string, refusedOf: (cell: number, call: number) => boolean): string => {
    const folder = mkdtempSync(join(tmpdir(), `emend-report-${name}-`));
    for (let cell = 0; cell < 6; cell += 1) {
      const lines = Array.from(
        { length: 20 },
        (_, call): Line => (refusedOf(cell, call) ? { ok: false, code: 'no_match' } : { via: 'exact' }),
      );
      journalOf(lines, join(folder, `cell-${cell}`));
    }
    return folder;
  };
  const few = (cell: number, call: number): boolean => call % 10 === cell % 3;
  const verdicts = async (first: string, second: string) => {
    const { comparison } = await buildReport({
      ...{ set: await setOf('second', second), against: await setOf('first', first), tokens: 'none' },
    });
    const apart = comparison?.differences.filter(({ verdict }) => verdict === 'differs').map(({ key }) => key);
    return { apart, method: comparison?.method, calls: comparison?.calls };
  };

  test('of sets that differ in nothing shows nothing', async () => {
    expect(await verdicts(cells('a', few), cells('b', few))).toMatchObject({
      ...{ apart: [], method: 'paired', calls: { both: 120, changed: 0, onlyFirst: 0, onlySecond: 0 } },
    });
  });

  test('of journals of other names is without pairs, and lays no calls side by side', async () => {
    const journals = await findJournals([cells('a', few)]);
    const renamed = (await findJournals([cells('b', few)])).map((each) => ({ ...each, name: `other-${each.name}` }));
    const { comparison } = await buildReport({
      ...{ set: { label: 'b', journals: renamed }, against: { label: 'a', journals }, tokens: 'none' },
    });
    expect(comparison).toMatchObject({ method: 'unpaired', calls: undefined });
    expect(comparison?.differences.find(({ key }) => key === 'failed')).toMatchObject({
      ...{ cells: [6, 6], difference: 0, verdict: 'no difference shown' },
    });
  });

  test('of equal figures shows nothing, however many journals each set has', () => {
    const measures = { ...createCellMeasures().result(), failed: 0.1, refusedEdits: 1 / 3, meanMs: 0.7 };
    const set = (name: string, length: number) => Array.from({ length }, (_, n) => ({ name: `${name}${n}`, measures }));
    for (let a = 2; a < 12; a += 1) {
      for (let b = 2; b < 12; b += 1) {
        const { differences } = compareCells(set('a', a), set('b', b));
        expect(differences.map(({ difference, verdict }) => [difference, verdict])).toEqual(
          differences.map(() => [0, 'no difference shown']),
        );
      }
    }
  });

  test('of sets of unequal counts is of those that pair, and says how many it left out', async () => {
    const [first, second] = [cells('a', few), cells('b', (cell, call) => few(cell, call) || call % 5 === 4)];
    renameSync(join(second, 'cell-5'), join(second, 'cell-new'));
    journalOf([{}], join(second, 'cell-newer'));
    const { comparison } = await buildReport({
      ...{ set: await setOf('second', second), against: await setOf('first', first), tokens: 'none' },
    });
    expect(comparison).toMatchObject({ method: 'paired', unpaired: [1, 2] });
    expect(comparison?.differences.find(({ key }) => key === 'failed')).toMatchObject({
      ...{ cells: [5, 5], verdict: 'differs' },
    });
  });

  test('lays calls side by side whose roots have names that JSON writes otherwise', async () => {
    const set = async (root: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'emend-report-root-'));
      const args = JSON.stringify({ file_path: `${root}/a.ts` });
      const hash = createHash('sha256').update(args).digest('hex');
      const journal = journalOf([{ root }], folder);
      mkdirSync(join(folder, 'blobs', hash.slice(0, 2)), { recursive: true });
      writeFileSync(join(folder, 'blobs', hash.slice(0, 2), hash.slice(2)), args);
      writeFileSync(journal, readFileSync(journal, 'utf8').replace(/"args":"[0-9a-f]+"/, `"args":"${hash}"`));
      return setOf(root, folder);
    };
    const { comparison } = await buildReport({
      ...{ set: await set('/one "1"'), against: await set('/two \\2'), tokens: 'none' },
    });
    expect(comparison?.calls).toMatchObject({ both: 1, changed: 0, onlyFirst: 0, onlySecond: 0 });
  });

  test('of sets that differ in refusals shows that, and the calls', async () => {
    const more = (cell: number, call: number): boolean => few(cell, call) || call % 5 === 4;
    const { apart, calls } = await verdicts(cells('a', few), cells('b', more));
    expect(apart).toEqual(expect.arrayContaining(['failed', 'refusedEdits']));
    expect(apart).not.toContain('meanMs');
    expect(calls?.kinds).toEqual([['ok exact → no_match', expect.any(Number)]]);
    expect(calls?.examples[0]?.first.receipt).toBe(calls?.examples[0]?.second.receipt);
  });
});

test.each([
  [0.95, 1, 12.7062],
  [0.95, 5, 2.5706],
  [0.99, 10, 3.1693],
  [0.95, 1000, 1.9623],
])('Student: %d with %d degrees is %d', (confidence, freedom, expected) => {
  expect(studentT(confidence, freedom)).toBeCloseTo(expected, 3);
});

test('a path that is not there, and no place to write to, are usage errors', async () => {
  await expect(report(['/no/such'], { json: true })).rejects.toThrow(
    /^\/no\/such: there is no such file or folder\. Name a journal/,
  );
  await expect(report(['/no/such'], {})).rejects.toThrow(/Give -o report\.html/);
});
