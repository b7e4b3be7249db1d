import type { ChangedFile, FileWatch } from '../workspace/language-server/local-file-watch.ts';

/** One watch for each folder that a server works on. */
export class FolderWatches {
  readonly #watch: FileWatch;
  readonly #onChange: (changes: readonly ChangedFile[]) => void;
  readonly #watches = new Map<string, ReturnType<FileWatch>>();

  constructor(watch: FileWatch, onChange: (changes: readonly ChangedFile[]) => void) {
    this.#watch = watch;
    this.#onChange = onChange;
  }

  add(folder: string): void {
    if (!this.#watches.has(folder)) this.#watches.set(folder, this.#watch(folder, this.#onChange));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watches.values()].map(async (watch) => (await watch)?.()));
    this.#watches.clear();
  }
}
