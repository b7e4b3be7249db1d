import { describe, expect, test } from 'vitest';
import { createLoopGate, type GatedCall, type GatedOutcome } from '../../src/broker/loop-gate.ts';
import { LOOP_GATE_OPTIONS } from '../../src/broker/loop-gate-options.ts';

const edit = (oldString: string, more: Partial<GatedCall> = {}): GatedCall => ({
  kind: 'edit',
  tool: 'Edit',
  args: { file_path: 'a.ts', old_string: oldString, new_string: 'x' },
  path: 'a.ts',
  state: 'hash 1',
  ...more,
});
const bash = (command: string): GatedCall => ({
  kind: 'command',
  tool: 'Bash',
  args: { command },
  path: undefined,
  state: undefined,
});
const search = (pattern: string): GatedCall => ({ ...bash(''), kind: 'search', tool: 'Grep', args: { pattern } });

const failed = (text = 'Error no_match: old_string is not in a.ts'): GatedOutcome => ({
  isFailure: true,
  hasChanged: false,
  text,
});
const fine: GatedOutcome = { isFailure: false, hasChanged: false, text: 'ok' };
const changed: GatedOutcome = { isFailure: false, hasChanged: true, text: 'Edited b.ts' };

describe('the loop gate', () => {
  test('a failing edit is not run a third time, nor ever after, while nothing changes', () => {
    const gate = createLoopGate();
    for (let times = 0; times < 2; times++) {
      expect(gate.before(edit('a'))).toEqual({ kind: 'run' });
      gate.after(edit('a'), failed());
    }
    for (let times = 0; times < 200; times++) {
      expect(gate.before(edit('a'))).toEqual({ kind: 'block', times: 2, text: failed().text });
    }
  });

  test('the order of parameters makes no other call', () => {
    const gate = createLoopGate();
    const other = edit('a', { args: { new_string: 'x', old_string: 'a', file_path: 'a.ts', replace_all: undefined } });
    gate.after(edit('a'), failed());
    gate.after(other, failed());
    expect(gate.before(edit('a')).kind).toBe('block');
  });

  test('successful reads and failing others in between do not set it back', () => {
    const gate = createLoopGate();
    for (let times = 0; times < 2; times++) {
      gate.after(edit('a'), failed());
      gate.after(edit('', { tool: 'Read', args: { file_path: 'b.ts' }, path: 'b.ts' }), fine);
      gate.after(bash('ls'), fine);
      gate.after(bash('false'), failed('exit 1 (0.1 s)'));
    }
    expect(gate.before(edit('a')).kind).toBe('block');
  });

  test.each<[string, (gate: ReturnType<typeof createLoopGate>) => void]>([
    ['an edit that landed elsewhere', (gate) => gate.after(edit('b', { path: 'b.ts' }), changed)],
    ['a command that changed a file', (gate) => gate.after(bash('make'), { ...changed, isFailure: true })],
  ])('%s sets it back', (_what, happen) => {
    const gate = createLoopGate();
    gate.after(edit('a'), failed());
    gate.after(edit('a'), failed());
    happen(gate);
    expect(gate.before(edit('a')).kind).toBe('run');
  });

  test('a file that changed by other hands sets it back', () => {
    const gate = createLoopGate();
    gate.after(edit('a'), failed());
    gate.after(edit('a'), failed());
    expect(gate.before(edit('a', { state: 'hash 2' })).kind).toBe('run');
    gate.after(edit('a', { state: 'hash 2' }), failed());
    expect(gate.before(edit('a', { state: 'hash 2' })).kind).toBe('run');
  });

  test('another result is no repetition', () => {
    const gate = createLoopGate();
    gate.after(edit('a'), failed('Error no_match: …'));
    gate.after(edit('a'), failed('Error ambiguous: …'));
    expect(gate.before(edit('a')).kind).toBe('run');
  });

  test('a command is always run; its third equal failure gets one note', () => {
    const gate = createLoopGate();
    const notes = Array.from({ length: 8 }, (_, n) => {
      expect(gate.before(bash('curl -sf x')).kind).toBe('run');
      return gate.after(bash('curl -sf x'), failed(`exit 7 (0.${n} s)`)).kind;
    });
    expect(notes).toEqual(['none', 'none', 'repeated', 'none', 'none', 'none', 'none', 'none']);
  });

  test('a search that finds nothing again and again gets one note', () => {
    const gate = createLoopGate();
    const notes = Array.from({ length: 12 }, () => gate.after(search('zz'), failed('(none in 3 files)')).kind);
    expect(notes.filter((kind) => kind === 'repeated')).toHaveLength(1);
  });

  test('a command whose output changes, or that succeeds, is never noted', () => {
    const gate = createLoopGate();
    for (let n = 0; n < 10; n++) {
      expect(gate.after(bash('cat progress'), failed(`exit 1 (0.1 s)\n${n} of 10`)).kind).toBe('none');
      expect(gate.after(bash('ls d/'), fine).kind).toBe('none');
    }
  });

  test('a test that fails between edits is never held back, not even strictly', () => {
    const gate = createLoopGate({ ...LOOP_GATE_OPTIONS, strictness: 'edits_and_commands' });
    for (let n = 0; n < 5; n++) {
      expect(gate.before(bash('./test.sh')).kind).toBe('run');
      expect(gate.after(bash('./test.sh'), failed('exit 1 (0.1 s)')).kind).toBe('none');
      gate.after(edit(`fix ${n}`), changed);
    }
  });

  test('strictly, a command of which it is not known what it changed is held back, and other calls are not', () => {
    const gate = createLoopGate({ ...LOOP_GATE_OPTIONS, strictness: 'edits_and_commands' });
    for (let n = 0; n < 2; n++) gate.after(bash('other'), failed('exit 1 (0.1 s)'));
    gate.after(bash('curl -sf x'), failed('exit 7 (0.1 s)'));
    gate.after(bash('curl -sf x'), { ...failed('exit 7 (0.3 s)\nchanged: not known'), mayHaveChanged: true });
    expect(gate.before(bash('curl -sf x'))).toMatchObject({ kind: 'block', times: 2 });
    expect(gate.before(bash('other')).kind).toBe('run');
  });

  test('strictly, a command that failed twice in the same way is held back', () => {
    const gate = createLoopGate({ ...LOOP_GATE_OPTIONS, strictness: 'edits_and_commands' });
    gate.after(bash('curl -sf x'), failed('exit 7 (0.1 s, no output)'));
    gate.after(bash('curl -sf x'), failed('exit 7 (3.1 s, no output)'));
    expect(gate.before(bash('curl -sf x'))).toMatchObject({ kind: 'block', times: 2 });
  });

  test('failing edits that differ little get the present lines from the third on', () => {
    const gate = createLoopGate();
    const tries = ['if (t.exp < now) {', 'if (t.exp <  now()) {', 'if ( t.exp < now ) {', 'if (t.exp <= now()) {'];
    expect(tries.map((text) => gate.after(edit(text), failed()).kind)).toEqual(['none', 'none', 'near', 'near']);
  });

  test('failing edits of different places do not', () => {
    const gate = createLoopGate();
    const tries = ['const a = 1;', 'function other() {', 'import { z } from "z";', 'return value;'];
    for (const text of tries) expect(gate.after(edit(text), failed()).kind).toBe('none');
  });

  test('counts are options', () => {
    const gate = createLoopGate({ ...LOOP_GATE_OPTIONS, failures: 4 });
    for (let times = 0; times < 4; times++) {
      expect(gate.before(edit('a')).kind).toBe('run');
      gate.after(edit('a'), failed());
    }
    expect(gate.before(edit('a')).kind).toBe('block');
  });

  test('what is remembered is bounded', () => {
    const gate = createLoopGate();
    gate.after(edit('first'), failed());
    gate.after(edit('first'), failed());
    for (let n = 0; n < 600; n++) gate.after(bash(`false ${n}`), failed('exit 1 (0.1 s)'));
    expect(gate.before(edit('first')).kind).toBe('run');
  });
});
