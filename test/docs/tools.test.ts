import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { type Broker, createBroker } from '../../src/index.ts';
import { makeProject } from '../support/project.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/tools.md'), 'utf8');
const CALL = /```sh\nemend call (\w+) '([\s\S]*?)'\n```\n\n```text\n([\s\S]*?)```/g;
const tools = 'Read Edit MultiEdit Write apply_patch Glob Grep Bash Diagnostics Undo'.split(' ');

async function brokerFor(files: Record<string, string>): Promise<Broker> {
  const broker = await createBroker({ root: makeProject(files).root, tools, diagnosticsBudgetMs: 20_000 });
  onTestFinished(() => broker.close());
  return broker;
}

const timeless = (text: string): string => text.replace(/\([\d.]+ m?s\)/g, '(N ms)').trimEnd();

test('the calls of the page, in their order, answer what the page shows', async () => {
  const source = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const broker = await brokerFor({ 'src/limits.ts': source });
  const calls = [...page.matchAll(CALL)];
  expect(calls.length).toBeGreaterThan(9);
  for (const [, tool = '', json = '', answer = ''] of calls) {
    const { text } = await broker.call(tool, JSON.parse(json));
    expect(timeless(text)).toBe(timeless(answer));
  }
});

test('the table has each tool with its arguments, in their order', async () => {
  const broker = await brokerFor({});
  const rows = broker.tools.map(({ name, args }) => {
    const { properties = {}, required = [] } = toJSONSchema(args, { io: 'input' });
    const names = Object.keys(properties).map((key) => `\`${key}${required.includes(key) ? '*' : ''}\``);
    return `| ${name} | ${names.join(' ')} |`;
  });
  const shown = [...page.matchAll(/^(\| \w+ \| `[^|]*\|)/gm)].map(([row]) => row);
  expect(shown).toEqual(rows);
});
