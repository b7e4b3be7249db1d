import type { ToolHost } from '../../src/hosts/tool-host.ts';
import { replace } from '../../src/index.ts';
import type { TestEditor } from './editor.ts';

/** What came of many series of keystrokes and agent edits in one buffer. */
export interface TypingOutcome {
  readonly edits: number;
  readonly landed: number;
  /** Edits during which no key was pressed in their range. */
  readonly undisturbed: number;
  readonly undisturbedLanded: number;
  readonly keystrokes: number;
  /** How often each refusal met an undisturbed edit. */
  readonly refusals: Readonly<Record<string, number>>;
}

interface Plan {
  readonly editor: TestEditor;
  readonly agent: ToolHost;
  /** Absolute; and as the agent names it. */
  readonly path: string;
  readonly name: string;
  readonly interleavings: number;
  readonly seed: number;
}

const LINES = 30;

/**
 * A person types in a buffer while an agent edits it, at random places and times. Holds both against a model: every
 * keystroke is in the text that follows it, every edit that was called landed is in the buffer's history exactly once
 * and whole, none that was refused is, and nothing else ever changed the buffer.
 * @throws Error with the seed where one of these does not hold
 */
export async function typingSeries(plan: Plan): Promise<TypingOutcome> {
  const { editor, agent, path, name } = plan;
  const random = randomOf(plan.seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  await editor.open(path, block(0));
  const outcome = { edits: 0, landed: 0, undisturbed: 0, undisturbedLanded: 0, keystrokes: 0 };
  const refusals: Record<string, number> = {};
  const fail = (what: string): never => {
    throw new Error(`seed ${plan.seed}, interleaving ${outcome.edits}: ${what}`);
  };

  for (let round = 1; outcome.edits < plan.interleavings; round += 1) {
    const whole = wholeLines(editor.text(path));
    if (whole.length < LINES / 3) {
      const at = editor.text(path).length;
      editor.type(path, { start: at, end: at, newText: `\n${block(round)}` });
      continue;
    }
    const line = whole[below(whole.length)] ?? '';
    const newLine = below(3) === 0 ? `${line}\nadded_${round};` : line.replace(/_\d+;$/, `_${round};`);
    if (newLine === line) continue;
    const start = editor.log.length;
    let isOver = false;
    let inRange = 0;
    const typing = (async () => {
      for (let keys = below(8); keys > 0 && !isOver; keys -= 1) {
        await pause(below(4));
        const now = editor.text(path);
        const near = now.indexOf(line);
        // Now and then just where the agent is at work.
        const isNear = below(6) === 0 && near >= 0;
        const at = isNear ? near + below(line.length + 1) : elsewhere(now, line, below(now.length + 1));
        if (isNear) inRange += 1;
        const isDeletion = below(5) === 0 && at < now.length && !isNear && now[at] !== '\n';
        const symbol = String.fromCodePoint(now.codePointAt(at) ?? 0).length;
        const end = isDeletion && elsewhere(now, line, at) === at ? at + symbol : at;
        editor.type(path, { start: at, end, newText: isDeletion ? '' : (KEYS[below(KEYS.length)] ?? 'k') });
        outcome.keystrokes += 1;
      }
    })();
    if (below(2) === 0) await pause(below(3));
    const args = { file_path: name, old_string: line, new_string: newLine };
    const result = await agent.call('Edit', args, { options: { diagnosticsBudgetMs: 0, snippet: 'never' } });
    isOver = true;
    await typing;

    outcome.edits += 1;
    if (result.ok) outcome.landed += 1;
    if (inRange === 0) {
      outcome.undisturbed += 1;
      if (result.ok) outcome.undisturbedLanded += 1;
      else refusals[result.text.slice(0, 120)] = (refusals[result.text.slice(0, 120)] ?? 0) + 1;
    }
    const made = editor.log.slice(start).filter(({ by }) => by === 'agent');
    if (made.length !== (result.ok ? 1 : 0))
      fail(`${made.length} edits in the buffer, and the answer is ${result.text}`);
    for (const { before, after } of made) {
      const expected = replace(before, line, newLine);
      if (expected.status !== 'applied' || expected.text !== after) fail('the edit is not whole, or took more with it');
    }
  }
  editor.log.forEach(({ before, version }, index) => {
    const last = editor.log[index - 1];
    if (last && (before !== last.after || version <= last.version)) fail('a change is not of the text before it');
  });
  return { ...outcome, refusals };
}

/** Lines that are like nothing else, made in this round. */
function block(round: number): string {
  return Array.from({ length: LINES }, (_, index) => `line ${round}.${index} = value_${index}_0;\n`).join('');
}

/** Those that nobody typed in. */
function wholeLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^line \d+\.\d+ = value_\d+_\d+;$/.test(line));
}

const KEYS = ['k', ' ', '\n', 'é', '𝒳', '}', '\t'];

/** An offset that is outside a line and not beside it. */
function elsewhere(text: string, line: string, at: number): number {
  const from = text.indexOf(line);
  if (from < 0 || at < from - 1 || at > from + line.length + 1) return wholeSymbol(text, at);
  return from > text.length / 2 ? 0 : text.length;
}

/** Never between the halves of an astral character. */
function wholeSymbol(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function pause(turns: number): Promise<void> {
  return turns < 2
    ? new Promise((resolve) => setImmediate(resolve))
    : new Promise((resolve) => setTimeout(resolve, turns));
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
