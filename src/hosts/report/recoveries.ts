import type { JournalRecord } from '../../broker/journal-record.ts';
import { pathsOf } from './call-list.ts';

/** A refusal that is over: `calls` after it one succeeded on the same file, or none did to the end (`undefined`). */
interface Recovery {
  readonly code: string;
  readonly calls: number | undefined;
}

interface Waiting {
  readonly code: string;
  readonly session: string;
  /** The files that it was about; none known: the tool. */
  readonly about: readonly string[];
  calls: number;
}

const MAX_WAITING = 2000;
const CHANGING = new Set(['Edit', 'MultiEdit', 'Write', 'apply_patch', 'Undo']);

/** Follows the refusals of one journal until a later call of the same session does what they did not. */
export function createRecoveries() {
  const waiting = new Set<Waiting>();
  const aboutOf = (record: JournalRecord): readonly string[] => {
    const paths = CHANGING.has(record.tool) ? pathsOf(record) : [];
    return paths.length > 0 ? paths : [`tool ${record.tool}`];
  };
  return {
    add(record: JournalRecord): readonly Recovery[] {
      const done: Recovery[] = [];
      const about = [...aboutOf(record), `tool ${record.tool}`];
      for (const each of waiting) {
        if (each.session !== record.session) continue;
        each.calls += 1;
        if (!record.ok || record.dry_run || !each.about.some((name) => about.includes(name))) continue;
        waiting.delete(each);
        done.push({ code: each.code, calls: each.calls });
      }
      if (!record.ok && waiting.size < MAX_WAITING) {
        const code = record.code ?? 'failed';
        waiting.add({ code, session: record.session, about: aboutOf(record), calls: 0 });
      }
      return done;
    },
    /** The journal is over: what is still waiting never recovered. */
    end: (): readonly Recovery[] => [...waiting].map(({ code }) => ({ code, calls: undefined })),
  };
}
