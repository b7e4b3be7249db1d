import * as z from 'zod';
import { refuse } from '../broker/refusal.ts';
import { ShellJob } from '../workspace/shell/shell-job.ts';
import { findShell, type NumberedJob } from '../workspace/shell/shell-jobs.ts';
import { type Answer, beginAnswer } from './answer.ts';
import { answerEnd, answerRunning, notStarted } from './bash-answer.ts';
import { endedLine, exitLine, processNames, seconds } from './bash-text.ts';
import { type BeforeCommand, lookAtEnd, lookBefore } from './command-changes.ts';
import { commandDeadline } from './command-deadline.ts';
import { findNamedPath } from './named-path.ts';
import { callIdOf, jobsOf, shellPorts } from './shell-session.ts';
import { defineTool, type ToolCall, type ToolResult } from './tool.ts';

/** How long before its caller gives up an answer is given. */
const MARGIN_MS = 1500;
const PROGRESS_MS = 5000;

/** Runs a command in a shell of its own. */
export const bashTool = defineTool({
  name: 'Bash',
  description: 'Run a shell command. No input, no terminal; cwd does not persist.',
  args: z.strictObject({
    command: z.string().optional(),
    timeout: z.number().optional().describe('ms, default 120000'),
    cwd: z.string().optional(),
    run_in_background: z.boolean().optional(),
    job: z.number().optional().describe('read new output of this job'),
    stop: z.number().optional().describe('end this job'),
  }),
  hints: { openWorldHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'Bash');
    if (!call.session.root.confinement.allowsCommands) {
      const why = 'Bash is off while a deny list is set, since no one can say what a command reads.';
      return answer.refused(refuse('denied', `${why} Whoever starts emend can ask for it: --tools with Bash in it`));
    }
    const { command, job, stop } = args;
    if (stop !== undefined || job !== undefined) {
      const told =
        stop !== undefined
          ? await withJob(call, stop, answer, (entry) => stopJob(entry, call, answer))
          : await withJob(call, job ?? 0, answer, (entry) => answerRunning(entry, answer));
      if (command === undefined || command.trim() === '') return told;
      const how = stop === undefined ? 'job' : 'stop';
      return { ...told, text: `${told.text}\nnote: the command was not run; leave ${how} out to run it` };
    }
    if (command === undefined || command.trim() === '') {
      return answer.refused(refuse('invalid_arguments', 'the command is empty. Give one, or the number of a job.'));
    }
    if (command.includes('\0')) {
      const why =
        'the command has a NUL character, which no shell takes. Nothing was run. Write \\0 where one is meant.';
      return answer.refused(refuse('invalid_arguments', why));
    }
    const cwd = args.cwd ? await findNamedPath(call, args.cwd) : undefined;
    if (cwd?.status === 'refused') return answer.refused({ ...cwd, message: `cwd ${cwd.message}` });
    if (cwd && cwd.stat.kind !== 'directory') {
      return answer.refused(refuse('invalid_arguments', `cwd ${cwd.shown} is no folder. Nothing was run.`));
    }
    const { session } = call;
    const { root, run } = session.root;
    const before = await lookBefore(call);
    const started = new ShellJob(
      {
        command,
        shell: await findShell(run, root),
        cwd: cwd?.path ?? root,
        callId: callIdOf(session, await session.root.nextReceiptId()),
        timeoutMs: commandDeadline(args.timeout, args.run_in_background ? 'in_background' : 'here'),
      },
      shellPorts(session),
    );
    const result = await answerStarted(started, { isBehind: args.run_in_background === true, before }, call, answer);
    return cwd?.note === undefined ? result : { ...result, text: `${result.text}\n${cwd.note}` };
  },
});

async function answerStarted(
  job: ShellJob,
  { isBehind, before }: { readonly isBehind: boolean; readonly before: BeforeCommand },
  call: ToolCall,
  answer: Answer,
): Promise<ToolResult> {
  if (isBehind) return startInBackground(job, before, call, answer);
  const end = await waitFor(job, call);
  if (end) return answerEnd({ job, end, before }, call, answer);
  lookAtEnd(job, call, before);
  job.leaveRunning();
  return answerRunning(jobsOf(call.session).add(job), answer);
}

/** Waits for the end of a command, at most as long as the caller does; a cancel ends the command. */
async function waitFor(job: ShellJob, call: ToolCall) {
  const onAbort = (): void => job.end('cancel');
  if (call.signal?.aborted) onAbort();
  call.signal?.addEventListener('abort', onAbort, { once: true });
  const progress = setInterval(() => call.onProgress?.(`running for ${seconds(job.ageMs)}`), PROGRESS_MS);
  const { answerWithinMs } = call;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    if (answerWithinMs === undefined) return;
    timer = setTimeout(resolve, Math.max(answerWithinMs / 2, answerWithinMs - MARGIN_MS), undefined);
  });
  try {
    return await Promise.race([job.ended, patience]);
  } finally {
    clearInterval(progress);
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', onAbort);
  }
}

async function startInBackground(
  job: ShellJob,
  before: BeforeCommand,
  call: ToolCall,
  answer: Answer,
): Promise<ToolResult> {
  lookAtEnd(job, call, before);
  const entry = jobsOf(call.session).add(job);
  // What can't be started, or ends at once, is told at once.
  const early = await Promise.race([
    job.ended,
    new Promise<undefined>((resolve) => setTimeout(resolve, 50, undefined)),
  ]);
  if (early?.exit.kind === 'not_started') {
    jobsOf(call.session).forget(entry.number);
    return answer.refused(notStarted(early.exit.reason));
  }
  if (early) return answerRunning(entry, answer);
  job.leaveRunning();
  const pid = job.identity.leader === undefined ? '' : ` (pid ${job.identity.leader})`;
  const how = `job: ${entry.number} reads its new output, stop: ${entry.number} ends it`;
  return answer.ok(`started job ${entry.number}${pid}; ${how}`, { running: [job.command] });
}

async function withJob(
  call: ToolCall,
  number: number,
  answer: Answer,
  act: (entry: NumberedJob) => Promise<ToolResult>,
): Promise<ToolResult> {
  const jobs = jobsOf(call.session);
  const entry = jobs.find(number);
  if (entry) return act(entry);
  const numbers = jobs.numbers();
  const others =
    numbers.length === 0 ? 'No job runs' : `There ${numbers.length === 1 ? 'is' : 'are'} ${numbers.join(', ')}`;
  return answer.refused(refuse('not_found', `there is no job ${number}. ${others}.`));
}

async function stopJob(entry: NumberedJob, call: ToolCall, answer: Answer): Promise<ToolResult> {
  const { job, number } = entry;
  const wasRunning = entry.end === undefined;
  job.end('stop');
  const end = await job.ended;
  const left = wasRunning ? end.left : await job.endProcesses();
  entry.end = end;
  entry.isTold = true;
  if (left.length === 0) jobsOf(call.session).forget(number);
  const how = wasRunning ? endedLine(end) : `${exitLine(end, true)}; what it had left running was ended`;
  const failed = left.length > 0 && !wasRunning ? `; could not be ended: ${processNames(left)}` : '';
  return answerRunning(entry, answer, `job ${number}: ${how}${failed}`);
}
