import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBroker } from '../../src/hosts/create-broker.ts';

/** What a client was told of an edit of a line that others edit too. */
export interface SharedEdit {
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly code: string;
}

/** What the clients of one process were told. */
export interface ClientReport {
  /** Own lines whose edit was not applied, and why. */
  readonly failed: readonly string[];
  readonly shared: readonly SharedEdit[];
}

/**
 * Several clients in one process, each with a broker of its own, edit one file at once: lines of their own, and now and
 * then one that others edit too, from what they last saw there.
 */
const [root = '', name = '', clients = '4', edits = '125', sharedLines = '5'] = process.argv.slice(2);
const failed: string[] = [];
const shared: SharedEdit[] = [];

async function runClient(client: string): Promise<void> {
  const broker = await createBroker({ root, session: client });
  for (let edit = 0; edit < Number(edits); edit += 1) {
    const own = `${client} line ${edit}:`;
    const result = await broker.call('Edit', { file_path: name, old_string: `${own} old`, new_string: `${own} new` });
    if (!result.ok) failed.push(result.text);
    if (edit % 5 === 0) shared.push(await editShared(broker, `${client}-${edit}`, (edit / 5) % Number(sharedLines)));
  }
  await broker.close();
}

async function editShared(
  broker: Awaited<ReturnType<typeof createBroker>>,
  to: string,
  line: number,
): Promise<SharedEdit> {
  const text = await readFile(join(root, name), 'utf8');
  const from = new RegExp(`^shared ${line}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  const result = await broker.call('Edit', {
    file_path: name,
    old_string: `shared ${line}: ${from}`,
    new_string: `shared ${line}: ${to}`,
  });
  return { line, from, to, code: result.ok ? 'applied' : (result.receipt.code ?? 'no code') };
}

process.on('message', async () => {
  await Promise.all(Array.from({ length: Number(clients) }, (_, index) => runClient(`p${process.pid}c${index}`)));
  process.send?.({ failed, shared } satisfies ClientReport);
  process.disconnect();
});
process.send?.(process.pid);
