import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

/** The user's folders of this test alone. */
export interface SettingsHome {
  readonly state: string;
  readonly config: string;
  /** The user's own file of settings. */
  readonly file: string;
  write(text: string): void;
}

export function makeSettingsHome(): SettingsHome {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-home-')));
  const [config, state] = [join(folder, 'config'), join(folder, 'state')];
  mkdirSync(join(config, 'emend'), { recursive: true });
  vi.stubEnv('XDG_CONFIG_HOME', config);
  vi.stubEnv('XDG_STATE_HOME', state);
  const file = join(config, 'emend/config.json');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return { state, config, file, write: (text) => writeFileSync(file, text) };
}
