import { describe, expect, test } from 'vitest';
import { FILE_CHANGE, Registrations } from '../../../src/workspace/language-server/registrations.ts';

const METHOD = 'workspace/didChangeWatchedFiles';
const { created, changed, deleted } = FILE_CHANGE;

function registered(...watchers: readonly unknown[]): Registrations {
  const registrations = new Registrations();
  registrations.register({ registrations: [{ id: 'w', method: METHOD, registerOptions: { watchers } }] });
  return registrations;
}

describe('Registrations', () => {
  test.each([
    ['**/*.ts', '/p/src/a.ts', true],
    ['**/*.{ts,tsx}', '/p/a.tsx', true],
    ['**/*.ts', '/p/a.js', false],
    ['**', '/p/.hidden/a.py', true],
    ['/p/**/tsconfig.json', '/p/x/tsconfig.json', true],
    ['/p/**/tsconfig.json', '/q/tsconfig.json', false],
  ])('the glob %s watches %s: %s', (globPattern, path, isWatched) => {
    expect(registered({ globPattern }).watches(path, changed)).toBe(isWatched);
  });

  test('a relative pattern counts from its base, however the base is spelled', () => {
    for (const baseUri of ['file:///p%2Bq/', { uri: 'file:///p+q', name: 'q' }]) {
      const watching = registered({ globPattern: { baseUri, pattern: '*.ts' } });
      expect(watching.watches('/p+q/a.ts', changed)).toBe(true);
      expect(watching.watches('/p+q/x/a.ts', changed)).toBe(false);
      expect(watching.watches('/p/a.ts', changed)).toBe(false);
    }
  });

  test('only the kinds of change that were asked for, all without a kind', () => {
    const some = registered({ globPattern: '**', kind: 5 });
    expect([created, changed, deleted].map((type) => some.watches('/a', type))).toEqual([true, false, true]);
    const all = registered({ globPattern: '**' });
    expect([created, changed, deleted].map((type) => all.watches('/a', type))).toEqual([true, true, true]);
  });

  test('what is unregistered watches no more, and methods come and go', () => {
    const registrations = registered({ globPattern: '**' });
    let told = 0;
    const forget = registrations.onRegister(() => told++);
    registrations.register({ registrations: [{ id: 'd', method: 'textDocument/diagnostic' }] });
    forget();
    registrations.register({ registrations: [{ id: 'e', method: 'textDocument/references' }] });
    expect(told).toBe(1);
    expect(registrations.has('textDocument/diagnostic')).toBe(true);
    registrations.unregister({
      unregisterations: [
        { id: 'w', method: METHOD },
        { id: 'd', method: 'x' },
      ],
    });
    expect(registrations.watches('/a', changed)).toBe(false);
    expect(registrations.has('textDocument/diagnostic')).toBe(false);
  });

  test.each([[undefined], [null], [{ registrations: 3 }], [{ registrations: [null, { id: 1 }] }]])(
    'what is not of the form is passed over: %j',
    (params) => {
      const registrations = new Registrations();
      registrations.register(params);
      registrations.unregister(params);
      expect(registrations.watches('/a', changed)).toBe(false);
    },
  );
});
