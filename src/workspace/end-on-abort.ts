import type { RunningCommand } from './run.ts';

/** Between the polite signal and the one that can't be refused. */
const GRACE_MS = 500;

/** Ends a command when the signal aborts: it is asked to, and then killed with all that it started. */
export function endOnAbort(signal: AbortSignal, kill: RunningCommand['kill'], exit: Promise<unknown>): void {
  const end = (): void => {
    kill('SIGTERM');
    const timer = setTimeout(() => kill('SIGKILL'), GRACE_MS);
    // Others that it started may outlive it, so its exit alone does not call the second signal off.
    timer.unref();
    void exit.then(() => {
      clearTimeout(timer);
      kill('SIGKILL');
    });
  };
  if (signal.aborted) end();
  else {
    signal.addEventListener('abort', end, { once: true });
    void exit.then(() => signal.removeEventListener('abort', end));
  }
}
