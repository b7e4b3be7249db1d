import { expect, onTestFinished, test } from 'vitest';
import { boardRun } from '../support/board-run.ts';
import { processes } from '../support/processes.ts';
import { recordedRun } from '../support/recorded-run.ts';
import { SERVING_CASES } from '../support/serving-cases.ts';

test.each(SERVING_CASES.filter(({ program }) => program === 'typescript-language-server'))(
  'a server whose own child is killed is started again with the present texts: $name',
  { timeout: 120_000 },
  async ({ file, program, project: make, text }) => {
    const project = make();
    const recorded = recordedRun();
    const run = boardRun({ root: project.root, run: recorded.run });
    onTestFinished(async () => {
      await run.board.close();
      project.remove();
      expect(await recorded.leftOver(2000)).toEqual([]);
    });
    const path = project.path(file);
    expect(await run.write(path, text(['first']))).toMatchObject({ state: 'fresh', before: 0 });

    const [group] = recorded.started(program);
    const child = processes().find((row) => row.group === group && row.command.includes('tsserver.js'));
    const during = run.write(path, text(['first', 'second']), { budgetMs: 60_000 });
    process.kill(Number(child?.pid), 'SIGKILL');
    const report = await during;
    // Before it is seen to have ended it may have answered; what it may not do is to call the text clean.
    const told = [...report.introduced, ...run.board.takeReflow('s1').flatMap((late) => late.report.introduced)];
    if (report.state === 'fresh') expect(told.map(({ message }) => message).join()).toMatch(/second/);

    const next = await run.write(path, text(['first', 'second', 'third']), { budgetMs: 30_000 });
    expect(next).toMatchObject({ state: 'fresh', before: 0, fixed: [] });
    const stand = [...next.introduced, ...next.open].map(({ message }) => /first|second|third/.exec(message)?.[0]);
    expect(stand.sort()).toEqual(['first', 'second', 'third']);
    expect(recorded.started(program)).toHaveLength(2);
  },
);
