import { join } from 'node:path';
import { boardRun } from './board-run.ts';

/** Boards that are closed, each after another time, while changes follow each other; prints the states told. */
const [root, ...delays] = process.argv.slice(2);
if (root === undefined) throw new Error('closing-child ROOT MS…');
const path = join(root, 'src/base.ts');
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const types = ['number', 'boolean', 'object', 'bigint'];
for (const delay of delays) {
  const { board, replace, snapshot } = boardRun({ root });
  await board.inspect(snapshot(path), 60_000);
  const told = [];
  for (let change = 0; change < 8; change++) {
    const [from, to] = [types[change % 4], types[(change + 1) % 4]];
    told.push(replace(path, [`: ${from}`, `: ${to}`], { budgetMs: 0 }));
    await pause(Number(delay));
  }
  await board.close();
  process.stdout.write(`${(await Promise.all(told)).map(({ state }) => state).join(' ')}\n`);
}
