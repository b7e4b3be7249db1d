import { type Refusal, refuse } from '../broker/refusal.ts';
import type { CommandExit } from '../workspace/run.ts';
import { outputText } from '../workspace/shell/output-text.ts';
import type { OutputEnds } from '../workspace/shell/output-window.ts';
import type { JobEnd, ShellJob } from '../workspace/shell/shell-job.ts';
import { LAST_WORDS_MS, type NumberedJob } from '../workspace/shell/shell-jobs.ts';
import { size } from '../workspace/truncation.ts';
import type { Answer, Facts } from './answer.ts';
import {
  changedLine,
  deadlineHint,
  endedLine,
  exitLine,
  memoryLine,
  newsLines,
  processName,
  processNames,
  seconds,
} from './bash-text.ts';
import { type BeforeCommand, changedPaths, lookAfter, lookedAtEnd } from './command-changes.ts';
import { jobsOf, shellPorts } from './shell-session.ts';
import type { ToolCall, ToolResult } from './tool.ts';

/** The answer to a command that is over, with what it changed and what it left running. */
export async function answerEnd(
  { job, end, before }: { readonly job: ShellJob; readonly end: JobEnd; readonly before: BeforeCommand },
  call: ToolCall,
  answer: Answer,
): Promise<ToolResult> {
  if (end.exit.kind === 'not_started') {
    return answer.refused(notStarted(end.exit.reason));
  }
  const changed = await lookAfter(call, before);
  const jobs = jobsOf(call.session);
  const children = end.by === 'itself' ? await job.processes() : [];
  // Nothing of it runs any more: its last words are near, and nobody could ask for them later.
  if (children.length === 0) await job.outputEnd(LAST_WORDS_MS);
  // What is printed from here on is new to whoever asks for the job.
  const shown = await showOutput(job, job.takeFresh());
  if (children.length > 0) {
    job.leaveRunning();
    jobs.add(job).isTold = true;
  }
  const news = await jobs.news();
  const runsOn = news.some(({ processes }) => processes.length > 0);
  const memory = runsOn ? memoryLine(await shellPorts(call.session).processes.memory()) : undefined;
  const last = [changedLine(changed), ...newsLines(news), memory].filter((line) => line !== undefined);
  for (const { entry, processes } of news) {
    if (!entry.end) continue;
    if (processes.length === 0) entry.isRestTold = entry.job.hasFresh;
    entry.isTold = true;
  }
  const facts: Facts = {
    ...exitFacts(end.exit),
    ...shown.facts,
    ...(changed.status === 'known' ? { changed: changedPaths(changed) } : {}),
    running: news.flatMap(({ processes }) => processes.map(processName)),
  };
  switch (end.by) {
    case 'itself':
      return answer.ok(joined(exitLine(end, shown.text !== ''), shown.text, last.join(' | ')), facts);
    case 'deadline': {
      const text = `${endedLine(end)}.${deadlineHint(shown.text, end.ms)} ${outputSoFar(shown.text)}`;
      return answer.refused(refuse('timeout', joined(text, last.join(' | '))), facts);
    }
    case 'cancel':
    case 'stop':
      return answer.refused(
        refuse('cancelled', joined(`${endedLine(end)}. ${outputSoFar(shown.text)}`, last.join(' | '))),
        facts,
      );
  }
}

/** The refusal of a command whose shell could not be started, in the background too. */
export function notStarted(reason: string): Refusal {
  return refuse('io', `the shell did not start: ${reason}.`);
}

/** The answer about a job: what is new in its output, and how it goes. */
export async function answerRunning(entry: NumberedJob, answer: Answer, headline?: string): Promise<ToolResult> {
  const { job, number, end } = entry;
  const shown = await showOutput(job, job.takeFresh());
  const processes = await job.processes();
  if (end) {
    entry.isTold = true;
    await lookedAtEnd(job);
  }
  const status = !end
    ? `still running, job ${number} (${seconds(job.ageMs)})`
    : `job ${number}: ${end.by === 'itself' ? exitLine(end, true) : endedLine(end)}`;
  const left = end && processes.length > 0 ? `still running: ${processNames(processes)}` : '';
  const output = shown.text === '' ? 'no new output' : shown.text;
  const text = joined(`${headline ?? status}${shown.text === '' ? ', ' : ':\n'}${output}`, left);
  return answer.ok(text, {
    ...(end ? exitFacts(end.exit) : {}),
    ...shown.facts,
    running: processes.map(processName),
  });
}

async function showOutput(job: ShellJob, ends: OutputEnds): Promise<{ readonly text: string; readonly facts: Facts }> {
  const plain = outputText(ends, undefined);
  if (!plain.isCut) return { text: plain.text, facts: {} };
  const spill = await job.keepOutput();
  const leftOut = { left_out: Math.max(0, ends.bytes - Buffer.byteLength(plain.text)) };
  if (!spill) return { text: plain.text, facts: leftOut };
  const limit =
    spill.limit === undefined
      ? ''
      : `\n(${size(job.output().bytes)} produced, ${size(spill.kept)} kept: ${spill.limit})`;
  return { text: `${outputText(ends, spill.path).text}${limit}`, facts: { output_path: spill.path, ...leftOut } };
}

function exitFacts(exit: CommandExit): Facts {
  switch (exit.kind) {
    case 'code':
      return { exit: { code: exit.code } };
    case 'signal':
      return { exit: { signal: exit.signal } };
    case 'not_started':
      return {};
  }
}

function outputSoFar(output: string): string {
  return output === '' ? 'It printed nothing.' : `Output so far:\n${output}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
