import { Buffer } from 'node:buffer';
import { basename, dirname } from 'node:path';
import { type BufferLanding, followLanding, type Landing } from './buffer-landing.ts';
import type {
  DocumentStore,
  StoredChange,
  StoredContent,
  StoredEntry,
  StoredStat,
  StoreOutcome,
} from './document-store.ts';
import { differenceOf } from './language-server/content-change.ts';
import { applySpanEdits, type SpanEdit } from './span.ts';

/** A change of an open buffer, for the editor to make. */
export interface BufferEdit {
  /** Absolute and real. */
  readonly path: string;
  /** The editor's version that the edits were planned on; an editor refuses them for another. */
  readonly version: number;
  readonly text: string;
  /** Of `text`. */
  readonly edits: readonly SpanEdit[];
}

interface OverlayOptions {
  /** Asks the editor. Its yes is only a hint: what counts is that the buffer then changes. */
  applyEdit(edit: BufferEdit): Promise<{ readonly applied: boolean }>;
  /** How long a change may take to show in the buffer, in milliseconds; 1,000 by default. */
  readonly landingMs?: number;
}

/** A store over which the buffers of an editor lie. */
export interface OverlayStore extends DocumentStore {
  readonly buffers: OpenBuffers;
}

/** What the editor has open. Paths are absolute and real; a version only grows. */
interface OpenBuffers {
  open(path: string, text: string, version: number): void;
  /** The whole text after a change. @throws RangeError for a buffer that is not open, or an old version */
  change(path: string, text: string, version: number): void;
  /**
   * The same as steps, each of the text after the one before, as editors tell it.
   * @throws RangeError as `change`, or where a step leaves the text
   */
  edit(path: string, steps: readonly SpanEdit[], version: number): void;
  close(path: string): void;
  /** What differs from the disk or may differ: every open buffer. */
  list(): readonly { readonly path: string; readonly text: string; readonly version: number }[];
}

interface OpenBuffer {
  readonly text: string;
  readonly version: number;
}

interface Steps {
  readonly steps: readonly SpanEdit[];
  readonly version: number;
}

const LANDING_MS = 1000;

/**
 * Reads see the buffer where one is open, else the store beneath. A write to an open buffer is the editor's to make; it
 * is `written` only when the buffer itself shows it, else `changed` with `why`. Beneath an open buffer nothing is
 * written.
 */
export function createOverlayStore(under: DocumentStore, options: OverlayOptions): OverlayStore {
  const opened = new Map<string, OpenBuffer>();
  const landings = new Set<{ readonly path: string; readonly landing: BufferLanding }>();
  const tell = (path: string, what: (landing: BufferLanding) => void): void => {
    for (const one of landings) if (one.path === path) what(one.landing);
  };
  const takeSteps = (path: string, text: string, { steps, version }: Steps): void => {
    opened.set(path, { text, version });
    tell(path, (landing) => landing.changed(steps));
  };
  const bufferBefore = (path: string, version: number): OpenBuffer => {
    const before = opened.get(path);
    if (!before) throw new RangeError(`${path} is changed but was never opened`);
    if (version <= before.version) throw new RangeError(`${path}: version ${version} follows ${before.version}`);
    return before;
  };

  const writeBuffer = async (path: string, buffer: OpenBuffer, change: StoredChange): Promise<StoreOutcome> => {
    const { base, edits } = change;
    if (base?.kind !== 'buffer') return { status: 'changed' };
    if (base.version !== buffer.version || base.text !== buffer.text) return outcomeOf('typed');
    const landing = followLanding({ base: base.text, edits, landingMs: options.landingMs ?? LANDING_MS });
    const followed = { path, landing };
    landings.add(followed);
    const asked = options.applyEdit({ path, version: base.version, text: base.text, edits }).then(
      (answer) => answer.applied,
      () => false,
    );
    // Its yes is only a hint.
    void asked.then((applied) => !applied && landing.refused());
    const outcome = await landing.outcome;
    landings.delete(followed);
    return outcomeOf(outcome);
  };

  const laidOver = (path: string, stat: StoredStat | undefined): StoredStat | undefined => {
    const buffer = opened.get(path);
    if (!buffer) return stat;
    return { kind: 'file', size: Buffer.byteLength(buffer.text), mtimeMs: stat?.mtimeMs ?? 0, ...identityOf(stat) };
  };

  return {
    buffers: {
      open(path, text, version) {
        opened.set(path, { text, version });
        tell(path, (landing) => landing.closed());
      },
      change(path, text, version) {
        const before = bufferBefore(path, version);
        takeSteps(path, text, { steps: [differenceOf(before.text, text)], version });
      },
      edit(path, steps, version) {
        const before = bufferBefore(path, version);
        const text = steps.reduce((now, step) => applySpanEdits(now, [step]), before.text);
        takeSteps(path, text, { steps, version });
      },
      close(path) {
        opened.delete(path);
        tell(path, (landing) => landing.closed());
      },
      list: () => [...opened].map(([path, buffer]) => ({ path, ...buffer })),
    },

    unsaved: () => [...opened].map(([path, { text }]) => ({ path, text })),

    async read(path, signal): Promise<StoredContent> {
      const buffer = opened.get(path);
      return buffer ? { kind: 'buffer', ...buffer } : under.read(path, signal);
    },

    async stat(path) {
      return laidOver(path, await under.stat(path));
    },

    ...(under.statNow && { statNow: (path) => laidOver(path, under.statNow?.(path)) }),

    async readBytes(path, start, length) {
      const buffer = opened.get(path);
      return buffer ? Buffer.from(buffer.text).subarray(start, start + length) : under.readBytes(path, start, length);
    },

    realPath: (path) => under.realPath(path),

    async list(path) {
      const entries = await under.list(path);
      const unsaved = [...opened.keys()]
        .filter((open) => dirname(open) === path && !entries.some((entry) => entry.name === basename(open)))
        .map((open): StoredEntry => ({ name: basename(open), kind: 'file' }));
      return [...entries, ...unsaved].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    },

    async write(path, change, signal) {
      const real = await under.realPath(path);
      signal?.throwIfAborted();
      const buffer = opened.get(real);
      if (buffer && change.origin) return { status: 'changed', why: 'it is open in an editor' };
      if (buffer) return writeBuffer(real, buffer, change);
      return change.base?.kind === 'buffer' ? { status: 'changed' } : under.write(path, change, signal);
    },

    async remove(path, base, folders) {
      const real = await under.realPath(path);
      if (opened.has(real)) return { status: 'changed', why: 'it is open in an editor' };
      return base.kind === 'buffer' ? { status: 'changed' } : under.remove(path, base, folders);
    },

    tidy: async (folder, made) => under.tidy?.(folder, made),
  };
}

/** Which file it is does not hang on its text. */
function identityOf(stat: StoredStat | undefined): Pick<StoredStat, 'owner' | 'inode' | 'links' | 'ctimeMs'> {
  const { owner, inode, links, ctimeMs } = stat ?? {};
  return {
    ...(owner && { owner }),
    ...(inode !== undefined && { inode }),
    ...(links !== undefined && { links }),
    ...(ctimeMs !== undefined && { ctimeMs }),
  };
}

function outcomeOf(landing: Landing): StoreOutcome {
  switch (landing) {
    case 'seen':
      return { status: 'written' };
    case 'typed':
      return { status: 'changed', why: 'it is being typed in', again: 'at_once' };
    case 'refused':
      return { status: 'changed', why: 'the editor refused the edit' };
    case 'closed':
    case 'absent':
      return { status: 'changed', why: 'the edit did not show in the buffer' };
    case 'unclear':
      return { status: 'changed', why: 'it was typed in just where the edit was to go', again: 'never' };
  }
}
