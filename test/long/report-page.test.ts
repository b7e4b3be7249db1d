import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/hosts/report/build-report.ts';
import { buildReport } from '../../src/hosts/report/build-report.ts';
import { findJournals } from '../../src/hosts/report/find-journals.ts';
import { report } from '../../src/hosts/report.ts';
import { benchmarkRun } from '../support/benchmark-run.ts';
import { startChromium } from '../support/chromium.ts';
import { hostileJournal } from '../support/hostile-journal.ts';
import { effectProject } from '../support/real-projects.ts';

const FILES = [
  'Duration',
  'Option',
  'Result',
  'HashSet',
  'Redacted',
  'Order',
  'Boolean',
  'Predicate',
  'Tuple',
  'Clock',
];
const SIZES = [
  { scheme: 'light', width: 1200 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 1200 },
  { scheme: 'dark', width: 390 },
] as const;

/** The page, and all that it complained of or asked the network for. */
async function opened(browser: Browser, file: string, size: (typeof SIZES)[number]) {
  const page = await browser.newPage({ viewport: { width: size.width, height: 900 }, colorScheme: size.scheme });
  // A page of twenty screens takes a busy machine a while.
  page.setDefaultTimeout(180_000);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(file).href) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, complaints };
}

/** The cells of a table as a reader sees them. */
async function rowsOf(page: Page, caption: string): Promise<readonly (readonly string[])[]> {
  const table = page.locator('table').filter({ has: page.locator('caption', { hasText: new RegExp(`^${caption}$`) }) });
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

const figureOf = (text: string | undefined): number => Number(/^[\d,]+/.exec(text ?? '')?.[0]?.replaceAll(',', ''));
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

async function counted(journal: string) {
  const { stdout } = await execa('python3', [join(import.meta.dirname, '../support/count-journal.py'), journal]);
  return JSON.parse(stdout);
}

test('a run of 500 calls on a real repository: the page in a browser says what an independent count says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emend-report-page-'));
  const project = effectProject('typescript-7');
  onTestFinished(project.remove);
  await benchmarkRun({
    ...{ calls: 500, seed: 7, from: project.root, to: folder, misses: 0.12, mistakes: 0.16, diagnosticsMs: 1500 },
    files: FILES.map((name) => `src/${name}.ts`),
  });
  const journal = join(folder, 'journal.jsonl');
  const output = join(folder, 'report.html');
  await report([journal], { output });
  const count = await counted(journal);
  expect(count.calls).toBe(500);
  expect(count.introduced).toBeGreaterThan(10);
  expect(count.fixed).toBeGreaterThan(5);

  const browser = await startChromium();
  for (const size of SIZES) {
    const { page, complaints } = await opened(browser, output, size);
    expect(await overflow(page)).toBe(0);
    await page.screenshot({ path: join(folder, `${size.scheme}-${size.width}.png`), fullPage: true });
    expect(complaints).toEqual([]);
    if (size !== SIZES[0]) continue;
    const table = async (caption: string, column: number) =>
      Object.fromEntries((await rowsOf(page, caption)).map((row) => [row[0], figureOf(row[column])]));
    expect(await table('Landed edits by matched_via', 1)).toEqual(count.vias);
    expect(await table('Failed calls by code, and calls until recovery', 6)).toEqual(count.codes);
    const errors = await table('Errors introduced and fixed', 1);
    expect([errors.introduced, errors.fixed]).toEqual([count.introduced, count.fixed]);
    const tools = Object.entries<{ count: number }>(count.tools).map(([name, tool]) => [name, tool.count]);
    expect(await table('Latency by tool', 6)).toEqual(Object.fromEntries(tools));
    // Each figure leads to calls, by keyboard.
    await page.locator('#edits ~ .scroll summary').first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('article:target').count()).toBe(1);
  }
  console.log(`screenshots in ${folder}`);
  checkTimes(
    await buildReport({ set: { label: 'run', journals: await findJournals([journal]) }, tokens: 'none' }),
    count,
  );
});

/** What the page rounds: medians within 1 %, sums and the worst exactly. */
function checkTimes({ run }: Report, count: Awaited<ReturnType<typeof counted>>): void {
  expect(run.waitedMs).toBe(count.waited);
  expect(run.floods.count).toBe(count.floods);
  expect(run.errors.late.count).toBe(count.late);
  for (const { name, median, worst, totalMs } of run.tools) {
    const tool = count.tools[name];
    expect([worst, totalMs]).toEqual([tool.worst, tool.all]);
    expect(Math.abs(median - tool.median)).toBeLessThanOrEqual(0.0101 * tool.median);
  }
  const servers = run.waits.filter(({ kind }) => kind === 'server').map((each) => [each.name, each.waitedMs]);
  expect(Object.fromEntries(servers)).toEqual(count.servers);
}

test('a hostile journal: the page runs nothing, asks for nothing, complains of nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emend-report-hostile-'));
  const output = join(folder, 'report.html');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'journal.jsonl'), hostileJournal(folder));
  await report([join(folder, 'journal.jsonl')], { output, label: '</title><script>alert(1)</script>' });
  const browser = await startChromium();
  for (const size of SIZES) {
    const { page, complaints } = await opened(browser, output, size);
    expect(await page.title()).toContain('<script>alert(1)');
    expect(await page.locator('script, img, iframe, [onload], [onerror]').count()).toBe(0);
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    for (const link of (await page.locator('main a').all()).slice(0, 5)) await link.click();
    expect(await overflow(page)).toBe(0);
    expect(complaints).toEqual([]);
    await page.screenshot({ path: join(folder, `${size.scheme}-${size.width}.png`), fullPage: true });
  }
  console.log(`screenshots in ${folder}`);
});
