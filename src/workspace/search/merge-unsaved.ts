import type { GrepEvent } from './grep-event.ts';

/** What was found in unsaved buffers, by their paths from the folder that is searched. */
export interface UnsavedMatches {
  /** Every unsaved buffer, with a match or without: what the disk has of these is not shown. */
  readonly paths: ReadonlySet<string>;
  readonly events: ReadonlyMap<string, readonly GrepEvent[]>;
}

/** Puts what was found in unsaved buffers in the place of what the disk has of them, in the order of paths. */
export class UnsavedMerge {
  readonly #unsaved: UnsavedMatches;
  readonly #due: string[];
  #isHidden = false;

  constructor(unsaved: UnsavedMatches) {
    this.#unsaved = unsaved;
    this.#due = [...unsaved.events.keys()].sort(comparePaths);
  }

  take(event: GrepEvent): readonly GrepEvent[] {
    if (event.kind === 'summary') return [...this.#before(undefined), event];
    if (event.kind !== 'begin') return this.#isHidden ? [] : [event];
    this.#isHidden = this.#unsaved.paths.has(event.path);
    return [...this.#before(event.path), ...(this.#isHidden ? [] : [event])];
  }

  #before(path: string | undefined): GrepEvent[] {
    const events: GrepEvent[] = [];
    while (this.#due[0] !== undefined && (path === undefined || comparePaths(this.#due[0], path) <= 0)) {
      events.push(...(this.#unsaved.events.get(this.#due[0]) ?? []));
      this.#due.shift();
    }
    return events;
  }
}

/** ripgrep's order: name by name, so that `a/b` comes before `a-b`. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [x = '', y = ''] = [left[at], right[at]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}
