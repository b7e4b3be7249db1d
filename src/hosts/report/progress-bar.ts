/** What a progress bar is drawn on. */
interface Terminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Draws how far something is, where someone looks; elsewhere nothing is written. */
export function createProgressBar(terminal: Terminal, now: () => number) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show(done: number, all: number): void {
      const at = now();
      if (!terminal.isTTY || (at - drawnAt < 100 && done < all)) return;
      drawnAt = at;
      const width = Math.max(5, Math.min(40, (terminal.columns ?? 80) - 30));
      const filled = Math.round((width * done) / Math.max(1, all));
      terminal.write(`\r${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${all} journals\x1b[K`);
    },
    clear(): void {
      if (terminal.isTTY) terminal.write('\r\x1b[K');
    },
  };
}
