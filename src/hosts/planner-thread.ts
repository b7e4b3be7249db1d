import { parentPort } from 'node:worker_threads';
import { answerTask, type PlanTask } from '../broker/edit-planner.ts';

/** What runs on the thread of `createThreadPlanner`: one task at a time, each answered by one message. */
parentPort?.on('message', (task: PlanTask) => parentPort?.postMessage(answerTask(task)));
