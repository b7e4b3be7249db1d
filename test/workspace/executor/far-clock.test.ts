import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { createExecutor } from '../../../src/hosts/create-executor.ts';
import { openRoot } from '../../../src/hosts/open-root.ts';
import { bashTool } from '../../../src/tools/bash.ts';
import { callTool } from '../../../src/tools/call-tool.ts';
import { busyboxRoot, hasBubblewrap } from '../../support/other-root.ts';
import { PATIENT } from '../../support/tool-room.ts';

// Without bubblewrap there is no other root to reach.
test.runIf(hasBubblewrap)(
  'what a command wrote where the clock lags half a second behind ours is named',
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-clock-')));
    const other = busyboxRoot(folder);
    const root = await openRoot({ root: folder, ...(await createExecutor(other.prefix)) });
    onTestFinished(async () => {
      await root.close();
      other.remove();
      rmSync(folder, { recursive: true });
    });
    const clock = { ...root.clock, date: () => new Date(root.clock.date().getTime() + 500) };
    const session = createSession({ ...root, clock, looks: PATIENT }, 'test');
    const { text } = await callTool([bashTool], { name: 'Bash', args: { command: 'echo n >new.ts' } }, { session });
    expect(text).toMatch(/\nchanged: new\.ts$/);
  },
  60_000,
);
