import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePatchText } from '../../../src/broker/patch/parse-patch.ts';
import { planHunks } from '../../../src/broker/patch/plan-hunks.ts';
import { applySpanEdits } from '../../../src/workspace/span.ts';

/** Few different lines, so that places that look alike are common. */
const someLines = fc.array(fc.constantFrom('', 'a', 'b', '  a', '}', 'éa🙂', '-x', '+y', '@@ z', '*** End Patch'), {
  maxLength: 14,
});
const texts = fc.record({
  from: someLines,
  to: someLines,
  ending: fc.constantFrom('\n', '\r\n'),
  endsOpen: fc.tuple(fc.boolean(), fc.boolean()),
});

function textsOf(drawn: typeof texts extends fc.Arbitrary<infer T> ? T : never): readonly [string, string] {
  const { from, to, ending, endsOpen } = drawn;
  const [first, second] = [from, to].map((lines, index) => {
    const text = lines.map((line) => `${line}${ending}`).join('');
    return endsOpen[index] ? text.slice(0, -ending.length || undefined) : text;
  });
  return [first ?? '', second ?? ''];
}

async function make(text: string, input: string): Promise<string> {
  const parsed = parsePatchText(input);
  if (parsed.status === 'wrong') return `wrong: ${parsed.message}`;
  const [file] = parsed.files;
  if (file?.op !== 'update') return 'not an update';
  const plan = await planHunks({ shown: 'f', text }, file.hunks);
  return plan.status === 'refused' ? `refused: ${plan.message}` : applySpanEdits(text, plan.edits);
}

describe('laws of patches', () => {
  test('apply(a, diff(a, b)) = b, whatever lines look alike', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (drawn) => {
        const [a, b] = textsOf(drawn);
        fc.pre(a !== b);
        expect(await make(a, createTwoFilesPatch('a/f', 'b/f', a, b, '', '', { context: 3 }))).toBe(b);
      }),
      { numRuns: 2000, seed: 20261202 },
    );
  });

  test('the same as a patch of GPT models, which has no line numbers, leads to b or is refused', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (drawn) => {
        const [a, b] = textsOf({ ...drawn, endsOpen: [false, false] });
        fc.pre(a !== b && a !== '');
        const hunks = createTwoFilesPatch('f', 'f', a, b, '', '', { context: 3 })
          .split('\n')
          .slice(4)
          .map((line) => (line.startsWith('@@') ? '@@' : line.replace(/\r$/, '')));
        const result = await make(
          a,
          ['*** Begin Patch', '*** Update File: f', ...hunks.slice(0, -1), '*** End Patch'].join('\n'),
        );
        if (result === b) made += 1;
        else expect(result).toMatch(/^refused: /);
      }),
      { numRuns: 2000, seed: 20261202 },
    );
    expect(made).toBeGreaterThan(1000);
  });
});
