import { createBroker } from '../../src/hosts/create-broker.ts';

/** Edits a file of numbered lines through the broker, raising every number by one at a time, until it is killed. */
const [path = '', from = '0', root = ''] = process.argv.slice(2);
const broker = await createBroker({ root });
for (let turn = Number(from); ; turn += 1) {
  const result = await broker.call('Edit', {
    file_path: path,
    old_string: `turn ${turn}.`,
    new_string: `turn ${turn + 1}.`,
    replace_all: true,
  });
  if (turn === Number(from) + 9) process.send?.('ready');
  if (!result.ok) throw new Error(result.text);
}
