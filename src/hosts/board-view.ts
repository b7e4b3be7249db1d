import { isAbsolute, join, relative } from 'node:path';
import type { DiagnosticsBoard } from '../diagnostics/diagnostics-board.ts';
import type { DiagnosticsReport, FileDiagnostic } from '../diagnostics/report.ts';

/** A board as it looks from a folder below its root: paths start from there; what lies outside is absolute. */
export function viewBoard(board: DiagnosticsBoard, root: string, folder: string): DiagnosticsBoard {
  if (root === folder) return board;
  const pathFrom = (path: string): string => {
    const absolute = isAbsolute(path) ? path : join(root, path);
    const inside = relative(folder, absolute);
    return inside === '..' || inside.startsWith('../') ? absolute : inside;
  };
  const all = (list: readonly FileDiagnostic[]): readonly FileDiagnostic[] =>
    list.map((item) => ({ ...item, path: pathFrom(item.path) }));
  const viewed = (report: DiagnosticsReport): DiagnosticsReport => {
    const { introduced, fixed, open, inNoProject } = report;
    const own = inNoProject && { inNoProject: inNoProject.map(pathFrom) };
    return { ...report, introduced: all(introduced), fixed: all(fixed), open: all(open), ...own };
  };
  return {
    warmUp: (document) => board.warmUp(document),
    lookAhead: (...asked) => board.lookAhead(...asked),
    async check(changes, budgetMs, signal) {
      return viewed(await board.check(changes, budgetMs, signal));
    },
    async inspect(document, budgetMs, signal) {
      const state = await board.inspect(document, budgetMs, signal);
      return {
        ...state,
        path: pathFrom(state.path),
        diagnostics: all(state.diagnostics),
        ...(state.all && { all: all(state.all) }),
      };
    },
    ask: (question, signal) => board.ask(question, signal),
    runningServers: () => board.runningServers(),
    changedFiles: (session, since) => board.changedFiles(session, since),
    takeReflow: (session) =>
      board.takeReflow(session).map(({ report, ...reflow }) => ({ ...reflow, report: viewed(report) })),
    settle: (session, ms) => board.settle(session, ms),
    filesChanged: (paths) => board.filesChanged(paths),
    close: () => board.close(),
  };
}
