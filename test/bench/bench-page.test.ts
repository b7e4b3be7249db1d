import { expect, test } from 'vitest';
import { benchPage } from './bench-page.ts';

test('the page of a run has each figure beside its baseline, and says what was missed', () => {
  const bare = { figure: 'a|b', inputs: 'two files', ours: 3, bare: 2, unit: 'ms', goal: '≤ 1.2× bare' } as const;
  const plain = { figure: 'memory', inputs: 'idle', ours: 73.4, unit: 'MB', goal: '≤ 80 MB', isMet: true } as const;
  const rows = [{ ...bare, isMet: false }, plain];
  const page = benchPage({ emend: '1.2.3', node: 'v20.0.0', cores: 2, date: '2026-01-02', rows });
  expect(page).toContain('emend 1.2.3, Node v20.0.0, 2 cores, 2026-01-02; 1 of 2 goals met.');
  expect(page).toContain('| a\\|b | two files | 3.0 ms | 2.0 ms | 1.50× | ≤ 1.2× bare | **missed** |');
  expect(page).toContain('| memory | idle | 73.4 MB |  |  | ≤ 80 MB | met |');
});
