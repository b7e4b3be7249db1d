import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import {
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { askResident } from '../../src/hosts/ask-resident.ts';

interface Resident {
  readonly connection: MessageConnection;
  readonly calls: string[];
  /** Its process dies; nobody has heard of it yet. */
  die(): void;
  /** It is heard of. */
  close(): void;
}

/** A process at the other end of two streams that answers `echo`, and never answers `hang`. */
function resident(name: string): Resident {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const far = createMessageConnection(new StreamMessageReader(there), new StreamMessageWriter(back));
  const calls: string[] = [];
  far.onRequest('echo', (text: string) => {
    calls.push(text);
    return `${name} ${text}`;
  });
  far.onRequest('refuse', () => new ResponseError(1, 'no'));
  far.onRequest('hang', () => new Promise(() => {}));
  far.listen();
  const quiet = { error() {}, warn() {}, info() {}, log() {} };
  const connection = createMessageConnection(new StreamMessageReader(back), new StreamMessageWriter(there), quiet);
  there.on('error', () => undefined);
  connection.listen();
  return { connection, calls, die: () => there.end(), close: () => back.destroy() };
}

function residents(...all: readonly Resident[]) {
  let current = 0;
  const lost: MessageConnection[] = [];
  const joining = {
    join: async () => ({ connection: (all[current] as Resident).connection }),
    lose(connection: MessageConnection) {
      lost.push(connection);
      current += 1;
    },
  };
  return { joining, lost };
}

const echo = (connection: MessageConnection): Promise<string> => connection.sendRequest('echo', 'one');

test('a request that does not get out, because the process has just died, goes to the next', async () => {
  const [first, second] = [resident('first'), resident('second')];
  const { joining, lost } = residents(first, second);
  expect(await askResident(joining, echo)).toBe('first one');
  first.die();
  expect(await askResident(joining, echo)).toBe('second one');
  expect(lost).toEqual([first.connection]);
  expect([first.calls, second.calls]).toEqual([['one'], ['one']]);
});

test('so does one for which the connection had been closed', async () => {
  const [first, second] = [resident('first'), resident('second')];
  const { joining } = residents(first, second);
  first.connection.dispose();
  expect(await askResident(joining, echo)).toBe('second one');
});

test('what may have been done is not asked for again', async () => {
  const [first, second] = [resident('first'), resident('second')];
  const { joining, lost } = residents(first, second);
  const hanging = askResident(joining, (connection) => connection.sendRequest('hang'));
  hanging.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 20));
  first.close();
  await expect(hanging).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining('look before you go on'),
  });
  await expect(askResident(residents(second).joining, (one) => one.sendRequest('refuse'))).rejects.toThrow('no');
  expect(lost).toEqual([]);
});
