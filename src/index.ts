export type { LoopGateOptions } from './broker/loop-gate-options.ts';
export type { MatchedVia } from './broker/matched-via.ts';
export type { FileReceipt, HunkReceipt, Receipt, ReflowReceipt } from './broker/receipt.ts';
export type { ErrorCode } from './broker/refusal.ts';
export { type ReplaceOptions, type ReplaceResult, replace } from './broker/replace.ts';
export type { DiagnosticsReport, FileDiagnostic, ServerAnswer, Severity } from './diagnostics/report.ts';
export type { BrokerOptions } from './hosts/broker-options.ts';
export {
  type Broker,
  type CallOptions,
  createBroker,
  type OfferedTool,
} from './hosts/create-broker.ts';
export { createExecutor, type Executor, executorOver } from './hosts/create-executor.ts';
export type { CallResult, LateDiagnostics } from './hosts/tool-host.ts';
export {
  type DocumentStore,
  type StoredChange,
  type StoredContent,
  type StoredEntry,
  type StoredStat,
  StoreError,
  type StoreErrorCode,
  type StoreOutcome,
} from './workspace/document-store.ts';
export type { CommandExit, Run, RunningCommand, RunOptions } from './workspace/run.ts';
export type { Span, SpanEdit } from './workspace/span.ts';
