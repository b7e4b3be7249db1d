import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Broker, createBroker } from './create-broker.ts';

/** One step of the demo: what a model sent, and why it is of interest. */
interface Step {
  readonly title: string;
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
}

const TYPESCRIPT = `export interface Token {
  readonly user: string;
  readonly expires: number;
}

export class Sessions {
  private readonly tokens = new Map<string, Token>();

  check(id: string, now: number): boolean {
    const token = this.tokens.get(id);
    if (token === undefined) return false;
    return now < token.expires;
  }

  refresh(id: string, now: number): void {
    const token = this.tokens.get(id);
    if (token === undefined) return;
    this.tokens.set(id, { ...token, expires: now + 60 });
  }
}
`;

const PYTHON = `from dataclasses import dataclass


@dataclass
class Basket:
    prices: list[float]

    def total(self) -> float:
        result = 0.0
        for price in self.prices:
            result += price
        return result
`;

const STEPS: readonly Step[] = [
  {
    title: 'An edit that fits two places is refused, and says which',
    file_path: 'sessions.ts',
    old_string: '    const token = this.tokens.get(id);',
    new_string: '    const token = this.find(id);',
  },
  {
    title: 'Dedented by the model: lands at the depth of the file. It brings in a type error, which is told at once',
    file_path: 'sessions.ts',
    old_string: 'if (token === undefined) return false;\nreturn now < token.expires;',
    new_string: 'if (token === undefined) return false;\nreturn now < token.expiry;',
  },
  {
    title: 'The fix, with a blank lost on a line that stays: the line keeps the bytes of the file',
    file_path: 'sessions.ts',
    old_string:
      '  check(id: string,now: number): boolean {\n    const token = this.tokens.get(id);\n    if (token === undefined) return false;\n    return now < token.expiry;',
    new_string:
      '  check(id: string,now: number): boolean {\n    const token = this.tokens.get(id);\n    if (token === undefined) return false;\n    return now < token.expires;',
  },
  {
    title: 'A Python method, dedented to column 0: lands in its class. The wrong type is told',
    file_path: 'basket.py',
    old_string:
      'def total(self) -> float:\n    result = 0.0\n    for price in self.prices:\n        result += price\n    return result',
    new_string:
      'def total(self) -> float:\n    result = 0.0\n    for price in self.prices:\n        result += price\n    return str(result)',
  },
  {
    title: 'The fix: clean',
    file_path: 'basket.py',
    old_string: '        return str(result)',
    new_string: '        return round(result, 2)',
  },
];

/** `emend demo`: drifted edits on real files with real servers, in a folder that is removed again. */
export async function demo(): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'emend-demo-'));
  let broker: Broker | undefined;
  try {
    await writeFile(join(root, 'sessions.ts'), TYPESCRIPT);
    await writeFile(join(root, 'basket.py'), PYTHON);
    await writeFile(join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "target": "es2022" } }\n');
    await writeFile(join(root, 'pyproject.toml'), '[project]\nname = "demo"\n');
    broker = await createBroker({ root, diagnosticsBudgetMs: 60_000 });
    let failures = 0;
    for (const [index, { title, ...args }] of STEPS.entries()) {
      say(`\n# ${index + 1}. ${title}\n`);
      say(`Edit ${args.file_path}\n${marked('- ', args.old_string)}\n${marked('+ ', args.new_string)}\n`);
      const { text, receipt } = await broker.call('Edit', args);
      say(`${marked('> ', text)}\n`);
      if (index === 0 ? receipt.code !== 'ambiguous' : receipt.diagnostics?.state !== 'fresh') failures += 1;
    }
    say('\n# All files now\n');
    const { text } = await broker.call('Diagnostics', { wait_ms: 30_000 });
    say(`${marked('> ', text)}\n`);
    return failures === 0 && !/found|pending|unavailable/.test(text) ? 0 : 1;
  } finally {
    await broker?.close();
    await rm(root, { recursive: true, force: true });
  }
}

function marked(mark: string, text: string): string {
  return text
    .split('\n')
    .map((line) => mark + line)
    .join('\n');
}

function say(text: string): void {
  process.stdout.write(text);
}
