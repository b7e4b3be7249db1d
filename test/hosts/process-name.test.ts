import { expect, test } from 'vitest';
import { emendFor } from '../support/emend.ts';
import { makeProject } from '../support/project.ts';

test.each([[['--in-process']], [[]]])(
  'a command that ends all that is called node does not end us %j',
  async (more) => {
    const { root } = makeProject({});
    const name = JSON.stringify({ command: 'ps -o comm= -p $PPID' });
    const { stdout } = await emendFor(root).run(['call', 'Bash', name, '--root', root, ...more]);
    expect(stdout).toMatch(/^exit 0 .*\nemend$/);
  },
);
