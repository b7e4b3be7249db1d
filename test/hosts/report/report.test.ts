import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseHTML } from 'linkedom';
import { describe, expect, test, vi } from 'vitest';
import { buildReport } from '../../../src/hosts/report/build-report.ts';
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
    const { late, servers = [] } = line;
    return JSON.stringify({
      ...{ format: 1, emend: '0.1.0', time: new Date(1e12 + index * 1000).toISOString(), root: '/r', session: 's' },
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
  await expect(report(['/no/such'], { json: true })).rejects.toThrow(/^\/no\/such: ENOENT/);
  await expect(report(['/no/such'], {})).rejects.toThrow(/Give -o report\.html/);
});
