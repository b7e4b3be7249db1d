import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { openRoot } from '../../../src/hosts/open-root.ts';
import { callTool } from '../../../src/tools/call-tool.ts';
import { lspTool } from '../../../src/tools/navigation/lsp.ts';
import { effectProject } from '../../support/real-projects.ts';

const MAX_CALLS = 400;

// With 300 ms each, from before the process runs until it knows the whole project.
test.each([
  ['typescript-7', { operation: 'findReferences', symbol: 'src/Option.ts#isNone' }],
  ['typescript-7', { operation: 'workspaceSymbol', query: 'isNone', filePath: 'src/Option.ts' }],
  ['typescript', { operation: 'findReferences', symbol: 'src/Option.ts#isNone' }],
  ['typescript', { operation: 'workspaceSymbol', query: 'isNone', filePath: 'src/Option.ts' }],
] as const)(
  'while %s loads over 500 files every answer to %j is pending or the whole one, never less',
  { timeout: 240_000 },
  async (alias, args) => {
    const project = effectProject(alias);
    const root = await openRoot({ root: project.root });
    onTestFinished(async () => {
      await root.close();
      project.remove();
    });
    const session = createSession(root, 'test');
    const ask = (answerWithinMs?: number) =>
      callTool([lspTool], { name: 'LSP', args }, { session, ...(answerWithinMs && { answerWithinMs }) });
    const answers: { readonly text: string; readonly isPending: boolean }[] = [];
    do {
      const { text, receipt } = await ask(1300);
      answers.push({ text, isPending: receipt.why === 'pending' || text.includes('pending: ') });
    } while (answers.at(-1)?.isPending && answers.length < MAX_CALLS);

    const [first] = answers;
    expect(first?.text).toMatch(/^pending: typescript-\S+ [\d.]+ is .*nothing is known yet\. Ask again/);
    const whole = await ask();
    expect(whole.receipt.total).toBeGreaterThan(args.operation === 'findReferences' ? 100 : 0);
    for (const { text, isPending } of answers) {
      if (isPending) expect(text).toMatch(/^pending: /);
      else expect(text).toBe(whole.text);
    }
  },
);
