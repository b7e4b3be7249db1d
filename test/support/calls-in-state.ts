import { createBroker } from '../../src/hosts/create-broker.ts';

/** A call that a process with a state folder of its own is to make. */
export interface AskedCall {
  readonly tool: string;
  readonly args: unknown;
}

/** What came of it. */
export interface SeenCall {
  readonly ok: boolean;
  readonly text: string;
  readonly code: string | null;
  readonly undo: string | null;
}

/** Makes the calls that its arguments list on a root, one after the other in one session, and prints what each came to. */
const [, , root = '', calls = '[]'] = process.argv;
const broker = await createBroker({
  root,
  session: 'asked',
  tools: ['Read', 'Edit', 'MultiEdit', 'Write', 'apply_patch', 'Undo', 'Bash'],
});
const seen: SeenCall[] = [];
for (const { tool, args } of JSON.parse(calls) as readonly AskedCall[]) {
  const { ok, text, receipt } = await broker.call(tool, args);
  seen.push({ ok, text, code: receipt.code ?? null, undo: receipt.undo ?? null });
}
await broker.close();
process.stdout.write(JSON.stringify(seen));
