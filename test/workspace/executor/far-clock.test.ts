import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { createExecutor } from '../../../src/hosts/create-executor.ts';
import { openRoot } from '../../../src/hosts/open-root.ts';
import { bashTool } from '../../../src/tools/bash.ts';
import { callTool } from '../../../src/tools/call-tool.ts';
import { busyboxRoot, hasBubblewrap } from '../../support/other-root.ts';
import { PATIENT } from '../../support/tool-room.ts';

// Without bubblewrap there is no other root to reach.
test.runIf(hasBubblewrap)(
  'what a command wrote where the clock lags half a second behind ours is named, and nothing else',
  async () => {
    // Ours is put ahead; the files' own times are the system's.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 500, shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-clock-')));
    const other = busyboxRoot(folder);
    const root = await openRoot({ root: folder, ...(await createExecutor(other.prefix)) });
    onTestFinished(async () => {
      await root.close();
      other.remove();
      rmSync(folder, { recursive: true });
    });
    const session = createSession({ ...root, looks: PATIENT }, 'test');
    const changedBy = async (command: string) =>
      (await callTool([bashTool], { name: 'Bash', args: { command } }, { session })).receipt.changed;
    expect(await changedBy('echo n >new.ts')).toEqual(['new.ts']);
    expect(await changedBy('sleep 0.2')).toEqual([]);
    expect(await changedBy('echo n >>new.ts')).toEqual(['new.ts']);
  },
  60_000,
);
