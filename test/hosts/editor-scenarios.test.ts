import { describe, expect, test } from 'vitest';
import type { ToolHost } from '../../src/hosts/tool-host.ts';
import { startAgent, startRoot, useStateFolder } from '../support/desktop.ts';
import { startEditor, type TestEditor } from '../support/editor.ts';
import { makeProject, type Project } from '../support/project.ts';

interface Desk {
  readonly project: Project;
  readonly agent: ToolHost;
  /** Another agent, on a broker that was started anew. */
  restart(): Promise<ToolHost>;
  /** The file in an editor, its text typed and not saved. */
  open(text: string): Promise<TestEditor>;
}

const edit = (agent: ToolHost, old_string: string, new_string: string) =>
  agent.call('Edit', { file_path: 'a.txt', old_string, new_string });

/** Reports of other tools in which a person's text was lost, each with what must hold here. */
const scenarios: readonly { report: string; holds: string; before: string; run(desk: Desk): Promise<void> }[] = [
  {
    report: 'cline 3301: closing a task rolled files back to the state before it',
    holds: 'the end of a session writes nothing',
    before: 'one\n',
    async run({ project, agent, restart }) {
      await edit(agent, 'one', 'ONE');
      project.write('a.txt', `${project.read('a.txt')}a line of the person\n`);
      await agent.close();
      await restart();
      expect(project.read('a.txt')).toBe('ONE\na line of the person\n');
    },
  },
  {
    report: 'vscode 313703: a session that was restored wrote its edit over newer work',
    holds: 'a restart writes nothing, and an edit whose lines were changed since is not taken back',
    before: 'one\n',
    async run({ project, agent, restart }) {
      const { receipt } = await edit(agent, 'one', 'first state');
      project.write('a.txt', 'second state\n');
      const again = await restart();
      expect(project.read('a.txt')).toBe('second state\n');
      const undone = await again.call('Undo', { id: receipt.id });
      expect(undone.text).toMatch(/^Error stale: a\.txt was changed since e1 at L1/);
      expect(project.read('a.txt')).toBe('second state\n');
    },
  },
  {
    report: 'claude-code 85948: signs that someone edits the file were ignored',
    holds: 'an edit elsewhere in it lands, names the lines that others changed, and can be taken back',
    before: 'let a = 1\nlet b = 2\nlet c = 3\n',
    async run({ project, agent }) {
      await agent.call('Read', { file_path: 'a.txt' });
      project.write('a.txt', 'let a = 1\nlet b = 2\nlet c = 4\n');
      const { text, receipt } = await edit(agent, 'let a = 1', 'let a = 0');
      expect(text).toContain('note: the file changed since you read it: L3');
      expect(project.read('a.txt')).toBe('let a = 0\nlet b = 2\nlet c = 4\n');
      await agent.call('Undo', { id: receipt.id });
      expect(project.read('a.txt')).toBe('let a = 1\nlet b = 2\nlet c = 4\n');
    },
  },
  {
    report: 'vscode 298240: an edit was matched on a cached copy and brought old text back',
    holds: 'what is typed and not saved is what edits are matched on',
    before: 'int lim = 3;\n',
    async run({ project, agent, open }) {
      await agent.call('Read', { file_path: 'a.txt' });
      const editor = await open('int lim = 4;\n');
      const { text } = await edit(agent, 'int lim = 3;', 'int lim = 5;');
      expect(text).toMatch(/^Error no_match/);
      expect([editor.text(project.path('a.txt')), project.read('a.txt')]).toEqual(['int lim = 4;\n', 'int lim = 3;\n']);
    },
  },
  {
    report: 'agent-undo: an open tab held an old buffer and wrote it back over the edit',
    holds: 'the edit is in the tab’s own buffer, so saving it saves the edit',
    before: 'one\ntwo\n',
    async run({ project, agent, open }) {
      const editor = await open('one\ntwo\nthree\n');
      expect((await edit(agent, 'one', 'ONE')).ok).toBe(true);
      project.write('a.txt', editor.text(project.path('a.txt')));
      expect(project.read('a.txt')).toBe('ONE\ntwo\nthree\n');
      expect((await edit(agent, 'two', 'TWO')).text).not.toContain('changed back');
    },
  },
];

describe('reports of lost text', () => {
  test.each(scenarios)('$report: $holds', async ({ before, run }) => {
    useStateFolder();
    const project = makeProject({ 'a.txt': before });
    const tools = ['Read', 'Edit', 'Undo'];
    let resident = await startRoot(project.root);
    const agent = await startAgent(project.root, tools);
    await run({
      project,
      agent,
      async restart() {
        await resident.stop();
        resident = await startRoot(project.root);
        return startAgent(project.root, tools);
      },
      async open(text) {
        const editor = await startEditor({ root: project.root });
        await editor.open(project.path('a.txt'), text);
        const shown = text.trimEnd().split('\n').at(-1) ?? '';
        while (!(await agent.call('Read', { file_path: 'a.txt' })).text.includes(shown)) {
          await new Promise(setImmediate);
        }
        return editor;
      },
    });
  });
});
