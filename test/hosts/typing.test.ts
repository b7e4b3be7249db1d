import { expect, test } from 'vitest';
import { startAgent, startRoot, useStateFolder } from '../support/desktop.ts';
import { startEditor } from '../support/editor.ts';
import { makeProject } from '../support/project.ts';
import { typingSeries } from '../support/typing-series.ts';

test.each<['yes' | 'no', number]>([
  ['no', 250],
  ['yes', 250],
])(
  'keystrokes and agent edits in one buffer: none is lost, none is half made (an editor that says %s to what it dropped, %i interleavings)',
  async (answerToDropped, interleavings) => {
    useStateFolder();
    const project = makeProject({ 'a.txt': 'on disk\n' });
    await startRoot(project.root);
    const editor = await startEditor({
      root: project.root,
      answerToDropped,
      beforeApply: () => new Promise((resolve) => setTimeout(resolve, 2)),
    });
    const agent = await startAgent(project.root);
    const seed = Number(process.env.EMEND_SEED ?? 7);
    const outcome = await typingSeries({
      editor,
      agent,
      path: project.path('a.txt'),
      name: 'a.txt',
      interleavings,
      seed,
    });
    process.stdout.write(`${JSON.stringify({ seed, answerToDropped, ...outcome })}\n`);
    expect(outcome.undisturbedLanded / outcome.undisturbed).toBeGreaterThanOrEqual(0.95);
    expect(outcome.keystrokes).toBeGreaterThan(interleavings);
    expect(project.read('a.txt')).toBe('on disk\n');
  },
  120_000,
);
