import type { Session } from '../broker/session.ts';
import type { DiagnosticsReport } from '../diagnostics/report.ts';
import type { Log, LogFields } from '../workspace/log.ts';
import type { CallResult } from './tool-host.ts';

/** A call that is done, for the log. */
interface DoneCall {
  readonly args: unknown;
  readonly result: CallResult;
  /** Milliseconds from when it was asked to when it is answered. */
  readonly ms: number;
}

/**
 * Puts a call into the log of its root: tool, files, outcome and time; nothing that stood in a file, nor what a command
 * was, unless all is wanted (debug). What servers could not say yet, or at all, has a line of its own.
 */
export function logCall(log: Log, session: Session, { args, result, ms }: DoneCall): void {
  const { receipt } = result;
  const of = { session: nameOf(session), receipt: receipt.id };
  if (log.keeps('info')) {
    log.write('info', 'call', {
      ...of,
      tool: receipt.tool,
      path: pathsOf(args, result),
      outcome: result.ok ? 'ok' : (receipt.code ?? 'failed'),
      ...matchOf(receipt.files),
      exit: receipt.exit && ('code' in receipt.exit ? receipt.exit.code : receipt.exit.signal),
      ms: Math.round(ms * 10) / 10,
      ...diagnosticsOf(receipt.diagnostics),
    });
    for (const { name, state, reason } of receipt.diagnostics?.servers ?? []) {
      if (state !== 'fresh') log.write('info', state, { ...of, server: name, reason });
    }
    for (const late of receipt.reflow ?? []) {
      const counts = { introduced: late.introduced.length, fixed: late.fixed.length };
      log.write('info', 'late', { ...of, receipt: late.receipt, with: receipt.id, ...counts });
    }
  }
  if (log.keeps('debug')) {
    log.write('debug', 'said', { ...of, args: JSON.stringify(args) ?? '', text: result.text });
  }
}

/** A session that lasts is kept under its folders and its name. */
export function nameOf({ id }: Pick<Session, 'id'>): string {
  return id.slice(id.lastIndexOf('\0') + 1);
}

function pathsOf(args: unknown, { receipt }: CallResult): string | undefined {
  if (receipt.files.length > 0) return receipt.files.map(({ path }) => path).join(' ');
  if (typeof args !== 'object' || args === null) return undefined;
  const named = ['file_path', 'filePath', 'path', 'absolute_path'].flatMap((name) => {
    const value = Object.hasOwn(args, name) ? (args as Record<string, unknown>)[name] : undefined;
    return typeof value === 'string' ? [value] : [];
  });
  return named[0];
}

function matchOf(files: CallResult['receipt']['files']): LogFields {
  if (files.length === 0) return {};
  const matched = [...new Set(files.flatMap(({ matched_via }) => matched_via ?? []))];
  return matched.length === 0 ? {} : { matched_via: matched.join(' ') };
}

function diagnosticsOf(report: DiagnosticsReport | undefined): LogFields {
  if (!report) return {};
  return { diagnostics: report.state, introduced: report.introduced.length, fixed: report.fixed.length };
}
