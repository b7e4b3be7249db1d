import type { Run, RunningCommand } from '../run.ts';
import { decodeEscaped } from '../visible-text.ts';
import { LOOK_FUNCTIONS } from './store-scripts.ts';

/** Reads a call a line; answers with its lines and then one of a dot and its code. */
const LOOP = `${LOOK_FUNCTIONS}
while IFS= read -r line; do
  ( eval "$line" ) 2>/dev/null
  printf '. %s\\n' "$?"
done
`;

/** Without a question for so long it ends; the next question starts another. */
const IDLE_MS = 3000;

/** What one look printed, and how it ended. */
export interface LookAnswer {
  /** One of `STORE_EXIT`, or 0. */
  readonly code: number;
  readonly lines: readonly string[];
}

interface Question {
  readonly line: string;
  readonly resolve: (answer: LookAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One shell where the files are that answers question after question: to look at a path through a container's executor
 * would else cost the start of a process there each time.
 */
export class LookShell {
  readonly #run: Run;
  #shell: RunningCommand | undefined;
  #waiting: Question[] = [];
  #lines: string[] = [];
  #rest = '';
  #idle: NodeJS.Timeout | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** @throws Error where the executor is lost */
  ask(name: string, words: readonly string[]): Promise<LookAnswer> {
    const line = [name, ...words.map(quoted)].join(' ');
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      clearTimeout(this.#idle);
      this.#started().stdin?.write(`${line}\n`);
    });
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #started(): RunningCommand {
    if (this.#shell) return this.#shell;
    const shell = this.#run(['sh', '-c', LOOP], { cwd: '/', stdin: 'pipe' });
    this.#shell = shell;
    this.#rest = '';
    this.#lines = [];
    shell.stdin?.on('error', () => undefined);
    shell.stderr.resume();
    // Names are bytes: one that is no UTF-8 is told by its own line.
    shell.stdout.setEncoding('latin1');
    shell.stdout.on('data', (text: string) => this.#take(text));
    void shell.exit.then((exit) => {
      if (this.#shell !== shell && this.#shell !== undefined) return;
      this.#shell = undefined;
      const lost = this.#waiting;
      this.#waiting = [];
      const reason = exit.kind === 'not_started' ? exit.reason : 'the shell there has ended';
      for (const question of lost) question.reject(new Error(reason));
    });
    return shell;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('. ')) this.#lines.push(isAscii(line) ? line : decodeEscaped(Buffer.from(line, 'latin1')));
      else {
        this.#waiting.shift()?.resolve({ code: Number(line.slice(2)), lines: this.#lines });
        this.#lines = [];
      }
    }
    if (this.#waiting.length === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS);
  }
}

/** As a word of a shell, on one line. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''").replaceAll('\n', `'"$nl"'`)}'`;
}

function isAscii(line: string): boolean {
  return !/[\x80-\xff]/.test(line);
}
