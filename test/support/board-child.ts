import { boardRun } from './board-run.ts';
import { recordedRun } from './recorded-run.ts';

/** A process with a board whose server has answered; prints the groups that it started, and stays. */
const [root, path] = process.argv.slice(2);
if (root === undefined || path === undefined) throw new Error('board-child ROOT FILE');
const recorded = recordedRun();
const { board, snapshot } = boardRun({ root, run: recorded.run });
const { state } = await board.inspect(snapshot(path), 60_000);
if (state !== 'fresh') throw new Error(`the server is ${state}`);
process.stdout.write(JSON.stringify(recorded.started('')));
