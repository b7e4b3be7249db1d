import type { MachineMemory } from './machine-memory.ts';

/** A process of one call. */
export interface CallProcess {
  readonly pid: number;
  /** Its command line, as far as it can be seen. */
  readonly command: string;
  /** Bytes of memory that it holds; `undefined` where that can't be seen. */
  readonly memory?: number | undefined;
}

/** Which processes a call has started, wherever they went, and how to end them. */
export interface ProcessTable {
  /** Those that still run, in the order of their numbers; the relay of the call's output is none of them. */
  ofCall(call: CallIdentity): Promise<readonly CallProcess[]>;
  /** Ends all of them, and does not come back before they are gone (or `patienceMs` has passed). */
  end(call: CallIdentity, patienceMs: number): Promise<EndOutcome>;
  /**
   * Puts a few bytes into the pipe that leads from the call's processes to its relay, behind all that they have written.
   * `later`: the relay is not there yet, or the pipe is full.
   */
  mark(call: CallIdentity, bytes: Uint8Array): Promise<'put' | 'later' | 'impossible'>;
  /** The memory that they share; `undefined` where that can't be seen. */
  memory(): Promise<MachineMemory | undefined>;
}

/** By what the processes of a call are known. */
export interface CallIdentity {
  /** In the environment of every process of the call. */
  readonly id: string;
  /** The process that was started, which leads a group and a session of its own; unknown with some executors. */
  readonly leader: number | undefined;
}

/** `left`: what was still there at the end. */
export interface EndOutcome {
  readonly left: readonly CallProcess[];
}
