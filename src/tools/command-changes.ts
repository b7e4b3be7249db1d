import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BrokerRoot } from '../broker/broker-root.ts';
import { ownWriteAt } from '../broker/own-writes.ts';
import { LOOK_BUDGETS } from '../workspace/look-budgets.ts';
import { isWideFolder } from '../workspace/search/local-wide-root.ts';
import { type ChangedFiles, changedFiles, TICK_MS } from '../workspace/shell/changed-files.ts';
import { changeTime, currentListing, type FileListing, type LookPorts } from '../workspace/shell/file-listing.ts';
import type { ShellJob } from '../workspace/shell/shell-job.ts';
import { searchPorts } from './search-ports.ts';
import type { ToolCall } from './tool.ts';

/** The state of files before a command: when, and which there were, where that can be told. */
export interface BeforeCommand {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly listing: FileListing | undefined;
}

/** Milliseconds by which the clock of another machine may lag behind where it can't be told. */
const FAR_CLOCK_MS = 1000;

/** By the place that roots share, not by session: files are the same for all. */
const lastListings = new WeakMap<BrokerRoot['documents'], FileListing>();

/**
 * Looks, before a command is run, which files there are; mostly the last look still holds. Returns a tick of the files'
 * clock after the moment that it tells, so that nothing which the command writes has an earlier time, and nothing that
 * was written before the call a later one.
 */
export async function lookBefore(call: ToolCall): Promise<BeforeCommand> {
  const { root, documents, clock, far } = call.session.root;
  // Where each look is a command on another machine it would take longer than the command itself.
  if (far) {
    const { clockLeadMs } = far.machine;
    if (clockLeadMs === undefined)
      return { since: clock.date().getTime() - FAR_CLOCK_MS - TICK_MS, listing: undefined };
    const since = clock.date().getTime() + clockLeadMs + TICK_MS;
    await setTimeout(2 * TICK_MS + 1);
    return { since, listing: undefined };
  }
  const since = clock.date().getTime() + 1;
  const [ports] = await Promise.all([lookPorts(call), setTimeout(TICK_MS + 1)]);
  return { since, listing: ports && (await currentListing(root, lastListings.get(documents), ports)) };
}

/** What a command changed since; the servers hear of it, and the command's answer does not wait for them. */
export async function lookAfter(call: ToolCall, before: BeforeCommand): Promise<ChangedFiles> {
  const { root, documents, diagnostics } = call.session.root;
  const ports = await lookPorts(call);
  if (!ports) return { status: 'unknown' };
  const { changed, listing } = await changedFiles(root, { since: before.since, before: before.listing }, ports);
  if (listing) lastListings.set(documents, listing);
  else lastListings.delete(documents);
  const paths = changedPaths(changed);
  if (paths.length > 0) void diagnostics.filesChanged(paths.map((path) => join(root, path)));
  return withoutOwn(changed, call, before);
}

/** What other calls wrote while the command ran, and nobody since, is not the command's. */
async function withoutOwn(changed: ChangedFiles, call: ToolCall, { since }: BeforeCommand): Promise<ChangedFiles> {
  const { root } = call.session;
  // The times of another machine are none of ours.
  if (changed.status === 'unknown' || root.far) return changed;
  const isOwn = async (path: string): Promise<boolean> => {
    const full = join(root.root, path);
    const writtenAt = ownWriteAt(root, full);
    if (writtenAt === undefined || writtenAt < since) return false;
    const stat = await root.store.stat(full).catch(() => undefined);
    return changeTime(stat) <= writtenAt + TICK_MS;
  };
  const others = async (paths: readonly string[]): Promise<readonly string[]> => {
    const own = await Promise.all(paths.map(isOwn));
    return paths.filter((_path, index) => !own[index]);
  };
  const gone = changed.gone === 'unknown' ? changed.gone : await others(changed.gone);
  return { ...changed, paths: await others(changed.paths), gone };
}

const looksAtEnd = new WeakMap<ShellJob, Promise<void>>();

/** Has the servers hear of what a command changed once it is over, though its answer was given before. */
export function lookAtEnd(job: ShellJob, call: ToolCall, before: BeforeCommand): void {
  const look = async (): Promise<void> => {
    try {
      const end = await job.ended;
      if (end.exit.kind !== 'not_started') await lookAfter(call, before);
    } catch {
      // The folder is gone, or the root was closed: then there is nobody to tell.
    }
  };
  looksAtEnd.set(job, look());
}

/** Settles when that look is over, so that whoever reads the end of a job is told of the files as it left them. */
export async function lookedAtEnd(job: ShellJob): Promise<void> {
  await looksAtEnd.get(job);
}

/** All that is known to be changed, also what is gone. */
export function changedPaths(changed: ChangedFiles): readonly string[] {
  if (changed.status === 'unknown') return [];
  return changed.gone === 'unknown' ? changed.paths : [...changed.paths, ...changed.gone];
}

async function lookPorts(call: ToolCall): Promise<LookPorts | undefined> {
  const { root, looks = LOOK_BUDGETS } = call.session.root;
  if (isWideFolder(root)) return undefined;
  const ready = await searchPorts(call);
  return ready.status === 'refused' ? undefined : { ...ready.ports, budgetMs: looks.changedMs };
}
