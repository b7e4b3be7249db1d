import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { CommandExit, Run, RunningCommand } from '../run.ts';
import type { Spill } from './disk-spill.ts';
import { OutputMark } from './output-mark.ts';
import { type OutputEnds, OutputWindow } from './output-window.ts';
import type { CallIdentity, CallProcess, ProcessTable } from './process-table.ts';
import { isOwnShell, shellCommand } from './shell-command.ts';
import { SpillFeed } from './spill-feed.ts';

/** What a job needs of the world. */
export interface ShellPorts {
  readonly run: Run;
  readonly processes: ProcessTable;
  readonly clock: Clock;
  readonly openSpill: (name: string) => Promise<Spill | undefined>;
}

interface ShellRequest {
  readonly command: string;
  readonly shell: 'bash' | 'sh';
  /** Absolute. */
  readonly cwd: string;
  /** Unlike any other call's, on this machine. */
  readonly callId: string;
  /** Milliseconds until it is ended; `undefined`: it may run on. */
  readonly timeoutMs: number | undefined;
}

/** Who or what ended a command. */
type EndedBy = 'itself' | 'deadline' | 'cancel' | 'stop';

/** How a command ended. */
export interface JobEnd {
  readonly by: EndedBy;
  readonly exit: CommandExit;
  /** Until it ended, or was ended. */
  readonly ms: number;
  /** Processes that could not be ended, although they should have been. */
  readonly left: readonly CallProcess[];
  /** All that was printed until it ended has come. */
  readonly isOutputIn: boolean;
}

/** How long an output is waited for where children in the background hold its pipe: until it is silent, or this long. */
const DRAIN_MS = 500;
const SILENCE_MS = 150;
/** And at most where its end, or a mark put into it, does not come. */
const PATIENCE_MS = 5000;
/** Most pipes end at once, and need no mark. */
const MARK_AFTER_MS = 25;
/** How long it may take to end all processes of a call. */
const END_MS = 2000;

/** One command of a shell: its output, its end, and all processes that it has started. */
export class ShellJob {
  readonly command: string;
  readonly identity: CallIdentity;
  /** Settles when the command has ended and its output is in; what it left behind may run on. */
  readonly ended: Promise<JobEnd>;
  readonly #ports: ShellPorts;
  readonly #running: RunningCommand;
  readonly #startedAt: number;
  readonly #window = new OutputWindow();
  readonly #mark: OutputMark;
  readonly #hasRelay: boolean;
  readonly #closed: Promise<void>;
  readonly #feed: SpillFeed;
  #fresh: OutputWindow | undefined;
  #hasExited = false;
  #endedAfterMs: number | undefined;
  #by: EndedBy = 'itself';
  #left: Promise<readonly CallProcess[]> = Promise.resolve([]);
  #lastOutputAt = 0;
  #isClosed = false;

  constructor(request: ShellRequest, ports: ShellPorts) {
    const { argv, env, stdin } = shellCommand(request.command, request.shell, request.callId);
    this.#ports = ports;
    this.command = request.command;
    this.#startedAt = ports.clock.now();
    this.#mark = new OutputMark(`${request.callId} ${this.#startedAt} ${ports.clock.date().getTime()}`);
    this.#hasRelay = request.shell === 'bash';
    this.#feed = new SpillFeed(() => ports.openSpill(`${request.callId}.txt`), this.#window);
    this.#running = ports.run(argv, { cwd: request.cwd, env, stdin: 'pipe' });
    this.identity = { id: request.callId, leader: this.#running.pid };
    this.#running.stdin?.end(stdin);
    this.#closed = this.#read();
    const timer =
      request.timeoutMs === undefined ? undefined : setTimeout(() => this.end('deadline'), request.timeoutMs);
    this.ended = this.#untilEnd().finally(() => clearTimeout(timer));
  }

  /** Milliseconds since it was started. */
  get ageMs(): number {
    return this.#ports.clock.now() - this.#startedAt;
  }

  /** All of its output so far. */
  output(): OutputEnds {
    return this.#window.ends();
  }

  /** Its output since this was asked last; at first all of it. */
  takeFresh(): OutputEnds {
    const ends = (this.#fresh ?? this.#window).ends();
    this.#fresh = new OutputWindow();
    return ends;
  }

  /** It has printed what {@link takeFresh} has not handed over. */
  get hasFresh(): boolean {
    return (this.#fresh ?? this.#window).bytes > 0;
  }

  /** Waits for the end of its output, which is near once none of its processes runs; at most `patienceMs`. */
  async outputEnd(patienceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.#closed, patience]).finally(() => clearTimeout(timer));
  }

  /** Where its whole output is or will be kept; `undefined` where no file can be made. What is due is written first. */
  keepOutput(): Promise<Spill | undefined> {
    return this.#feed.keep();
  }

  /** Processes that it has started and that still run. */
  async processes(): Promise<readonly CallProcess[]> {
    const processes = await this.#ports.processes.ofCall(this.identity);
    // A shell that reads its command from stdin, and its subshells, show no word of it.
    return processes.map((one) => (isOwnShell(one.command) ? { ...one, command: this.command } : one));
  }

  /** Ends it with all processes that it has started, wherever they went. */
  end(by: Exclude<EndedBy, 'itself'>): void {
    if (this.#by !== 'itself' || this.#hasExited) return;
    this.#by = by;
    this.#endedAfterMs = this.ageMs;
    this.#left = this.endProcesses();
  }

  /** Ends all processes that it has started; what could not be ended is returned. */
  async endProcesses(): Promise<readonly CallProcess[]> {
    return (await this.#ports.processes.end(this.identity, END_MS)).left;
  }

  /** Lets our own process end while this one runs on. */
  leaveRunning(): void {
    this.#running.unref?.();
  }

  #read(): Promise<void> {
    const { stdout, stderr } = this.#running;
    for (const stream of [stdout, stderr]) {
      stream.on('data', (chunk: Buffer) => this.#take(stream === stdout ? this.#mark.take(chunk) : chunk, stream));
      stream.on('error', () => {
        // The pipe broke: what came by then is kept, and the exit says how the command ended.
      });
    }
    return new Promise((resolve) => {
      let open = 2;
      for (const stream of [stdout, stderr]) {
        stream.once('close', () => {
          if (stream === stdout) this.#take(this.#mark.rest(), stream);
          open--;
          if (open > 0) return;
          this.#isClosed = true;
          void this.#feed.close();
          resolve();
        });
      }
    });
  }

  #take(bytes: Buffer, stream: Readable): void {
    if (bytes.length === 0) return;
    this.#lastOutputAt = this.#ports.clock.now();
    this.#window.take(bytes);
    this.#fresh?.take(bytes);
    this.#feed.take(bytes, stream);
  }

  async #untilEnd(): Promise<JobEnd> {
    const exit = await this.#running.exit;
    this.#hasExited = true;
    const ms = this.ageMs;
    const left = await this.#left;
    const isOutputIn = await this.#drained();
    if (this.#isClosed) await this.#feed.close();
    return { by: this.#by, exit, ms: this.#endedAfterMs ?? ms, left, isOutputIn };
  }

  /**
   * Waits until the output is in, and says whether it is. Mostly its pipe ends with the command. A child in the
   * background may hold it for ever: then a mark is put in, behind all that was written before, and once the mark has
   * come through, silence is enough. Where no mark can be put in, three looks at the processes stand for it.
   */
  async #drained(): Promise<boolean> {
    const { clock, processes } = this.#ports;
    const since = clock.now();
    let quietSince = since;
    let looks = 0;
    let mark: 'put' | 'later' | 'impossible' = this.#hasRelay && this.#by === 'itself' ? 'later' : 'impossible';
    while (!this.#isClosed && clock.now() - since < PATIENCE_MS) {
      await pause(mark === 'later' && clock.now() - since > MARK_AFTER_MS ? 20 : 5);
      if (mark === 'later' && !this.#isClosed && clock.now() - since >= MARK_AFTER_MS) {
        this.#mark.expect();
        mark = await processes.mark(this.identity, this.#mark.bytes);
      }
      // What waits for the disk is not silence.
      quietSince = this.#feed.isWaiting ? clock.now() : Math.max(quietSince, this.#lastOutputAt);
      const isSilent = clock.now() - quietSince >= SILENCE_MS || clock.now() - since >= DRAIN_MS;
      if (!isSilent || this.#isClosed) continue;
      if (this.#mark.isSeen) return true;
      if (mark !== 'impossible') continue;
      // One look may meet a process that is just ending, whose last words are still on their way.
      looks = (await this.processes()).length > 0 ? looks + 1 : 0;
      if (looks === 3) return true;
      await pause(20);
    }
    return this.#isClosed || this.#mark.isSeen;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
