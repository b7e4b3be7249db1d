import { createDiskStore } from '../workspace/disk-store.ts';
import { shortened } from '../workspace/truncation.ts';
import { visibleName } from '../workspace/visible-text.ts';
import { parseOptions } from './command-options.ts';
import { readResidentSettings } from './config/root-settings.ts';
import { reachResident } from './join-resident.ts';
import { READY } from './launch-resident.ts';
import { realRoot } from './open-root.ts';
import { startResident } from './resident.ts';
import { RESIDENT, type ResidentStatus, statusSchema } from './resident-protocol.ts';

/** A resident process that nobody has used for so long ends. */
const IDLE_MS = 30 * 60_000;

/**
 * `emend serve`: the resident process of a root, in the foreground; `--stop` ends the one that runs, `--status` tells
 * of it. Returns the exit status: 1 where `--status` or `--stop` find none.
 */
export async function serve(rawOptions: Record<string, unknown>): Promise<number> {
  const options = parseOptions(rawOptions);
  const root = await realRoot(options.root?.[0] ?? '.', createDiskStore());
  if (options.stop || options.status) return ask(root, options.stop ? 'stop' : 'status');
  const settings = await readResidentSettings(root, options);
  const idleMs = settings.idleMs ?? IDLE_MS;
  const resident = await startResident({ root, idleMs, untrusted: options.untrusted, settings });
  // Whoever started us may be gone when this is said.
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${READY}\n`);
  if (!resident) return 0;
  const stop = (): void => void resident.stop();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.once('SIGHUP', stop);
  await resident.ended;
  process.exit(0);
}

async function ask(root: string, wish: 'stop' | 'status'): Promise<number> {
  const connection = await reachResident(root);
  if (!connection) {
    process.stdout.write(`no resident process for ${root}\n`);
    return 1;
  }
  const closed = new Promise<void>((resolve) => connection.onClose(() => resolve()));
  const status = statusSchema.parse(await connection.sendRequest(RESIDENT.status));
  if (wish === 'stop') {
    // The connection is the last thing to go: with it all has ended.
    await connection.sendNotification(RESIDENT.stop);
    await closed;
  }
  connection.end();
  process.stdout.write(`${wish === 'stop' ? 'stopped' : 'running'}: ${words(status)}\n`);
  return 0;
}

function words(status: ResidentStatus): string {
  const others = status.connections - 1;
  const sessions =
    status.sessions.length === 0
      ? 'no named session'
      : `sessions ${status.sessions.map((id) => visibleName(shortened(id, 60))).join(', ')}`;
  return (
    `emend ${status.version}, process ${status.pid}, root ${status.root}, up ${Math.round(status.upMs / 1000)} s, ` +
    `${others} other connection${others === 1 ? '' : 's'}, ${sessions}`
  );
}
