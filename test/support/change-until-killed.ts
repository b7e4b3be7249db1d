import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { turnPatch } from './five-files.ts';

/** Changes five files by one patch after another, from turn to turn, until it is killed. */
const [folder = '', from = '0'] = process.argv.slice(2);
const root = await openRoot({ root: folder });
const session = createSession(root, 'test');
for (let turn = Number(from); ; turn += 1) {
  const result = await callTool(
    [applyPatchTool],
    { name: 'apply_patch', args: { input: turnPatch(turn) } },
    { session },
  );
  if (turn === Number(from)) process.send?.('ready');
  if (!result.ok) throw new Error(result.text);
}
