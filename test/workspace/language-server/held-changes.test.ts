import { expect, test } from 'vitest';
import { HeldChanges } from '../../../src/workspace/language-server/held-changes.ts';
import { FILE_CHANGE, Registrations } from '../../../src/workspace/language-server/registrations.ts';

const changed = (path: string) => ({ path, type: FILE_CHANGE.changed });

function asks(registrations: Registrations, id: string, globPattern: string): void {
  const registration = {
    id,
    method: 'workspace/didChangeWatchedFiles',
    registerOptions: { watchers: [{ globPattern }] },
  };
  registrations.register({ registrations: [registration] });
}

test('before a server says what it watches it hears of its own languages, and of what it then asks for once more', () => {
  const registrations = new Registrations();
  const held = new HeldChanges(registrations, ['typescript']);
  expect(held.sift([changed('/p/a.ts'), changed('/p/b.md')])).toEqual([changed('/p/a.ts')]);
  asks(registrations, '1', '/p/*');
  expect(held.takeAsked()).toEqual([changed('/p/a.ts'), changed('/p/b.md')]);
  expect(held.takeAsked()).toEqual([]);
});

test('what it has not asked for is told when it does, as it was last', () => {
  const registrations = new Registrations();
  const held = new HeldChanges(registrations, ['typescript']);
  asks(registrations, '1', '/p/*.ts');
  const gone = { path: '/q/b.json', type: FILE_CHANGE.deleted };
  expect(held.sift([changed('/p/a.ts'), changed('/q/b.json')])).toEqual([changed('/p/a.ts')]);
  expect(held.sift([gone])).toEqual([]);
  asks(registrations, '2', '/q/**');
  expect(held.takeAsked()).toEqual([gone]);
});

test('a file that is there is told as changed and as made, in this order', () => {
  const registrations = new Registrations();
  const held = new HeldChanges(registrations, ['typescript']);
  const made = { path: '/p/a.ts', type: FILE_CHANGE.created };
  held.sift([{ path: '/p/a.ts', type: FILE_CHANGE.deleted }, changed('/p/a.ts'), made]);
  asks(registrations, '1', '/p/*');
  expect(held.takeAsked()).toEqual([changed('/p/a.ts'), made]);
});

test('a thousand paths are remembered, the last ones', () => {
  const registrations = new Registrations();
  const held = new HeldChanges(registrations, ['typescript']);
  held.sift(Array.from({ length: 1500 }, (_, n) => changed(`/p/${n}.ts`)));
  asks(registrations, '1', '/p/*');
  expect(held.takeAsked().map(({ path }) => path)).toEqual(Array.from({ length: 1000 }, (_, n) => `/p/${n + 500}.ts`));
});
