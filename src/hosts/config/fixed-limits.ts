import { MAX_UNDO_BYTES } from '../../broker/land-change.ts';
import { MAX_DIAGNOSTIC_FILES, MAX_DIAGNOSTICS } from '../../broker/outcome-words.ts';
import { SNIPPET_LIMITS } from '../../broker/snippet.ts';
import { MAX_DIFF_BYTES } from '../../broker/unified-diff.ts';
import { COMMAND_MS } from '../../tools/command-deadline.ts';
import { GLOB_LIMIT } from '../../tools/glob.ts';
import { HEAD_LIMIT } from '../../tools/grep.ts';
import { MAX_IMAGE_BYTES } from '../../tools/read-image.ts';
import { SEARCH_BUDGET_MS } from '../../tools/search-ports.ts';
import { MAX_FILE_BYTES } from '../../workspace/disk-read.ts';
import { localMemory } from '../../workspace/language-server/local-memory.ts';
import { SERVER_TIMINGS } from '../../workspace/language-server/server-timings.ts';
import { MAX_GREP_LINE } from '../../workspace/search/grep-collector.ts';
import { MAX_CHANGED_FILES } from '../../workspace/shell/changed-files.ts';
import { SPILL_LIMITS } from '../../workspace/shell/disk-spill.ts';
import { SHOWN_HEAD, SHOWN_TAIL } from '../../workspace/shell/output-text.ts';
import { TEXT_LIMITS } from '../../workspace/truncation.ts';
import { MAX_RECEIPT } from '../mcp-server.ts';

/** A limit that no setting changes, as `emend config` prints it. */
export interface FixedLimit {
  readonly value: number;
  readonly unit: 'bytes' | 'characters' | 'files' | 'findings' | 'lines' | 'matches' | 'ms';
  readonly what: string;
}

/** The defaults and maxima that no setting changes, as they hold on this machine: each from where it is gone by. */
export async function fixedLimits(): Promise<Readonly<Record<string, FixedLimit>>> {
  const { ceiling } = await localMemory();
  return {
    fileBytes: of(MAX_FILE_BYTES, 'bytes', 'a file that a tool takes whole'),
    readLines: of(TEXT_LIMITS.lines, 'lines', 'a page of Read where no limit is given'),
    readBytes: of(TEXT_LIMITS.bytes, 'bytes', 'a page of Read'),
    readLine: of(TEXT_LIMITS.lineLength, 'characters', 'a line that Read or Bash shows'),
    readImage: of(MAX_IMAGE_BYTES, 'bytes', 'an image that Read shows'),
    grepMatches: of(HEAD_LIMIT, 'matches', 'an answer of Grep where no head_limit is given'),
    grepBytes: of(TEXT_LIMITS.bytes, 'bytes', 'an answer of Grep'),
    grepLine: of(MAX_GREP_LINE, 'characters', 'a line that Grep shows'),
    globFiles: of(GLOB_LIMIT, 'files', 'an answer of Glob'),
    searchTime: of(SEARCH_BUDGET_MS, 'ms', 'a search of Grep or Glob'),
    snippetLines: of(SNIPPET_LIMITS.lines, 'lines', 'the lines that an edit shows'),
    snippetBytes: of(SNIPPET_LIMITS.bytes, 'bytes', 'the same'),
    diffBytes: of(MAX_DIFF_BYTES, 'bytes', 'the diff of a file in a receipt'),
    undoBytes: of(MAX_UNDO_BYTES, 'bytes', 'a change that can be undone'),
    findings: of(MAX_DIAGNOSTICS, 'findings', 'those that an answer names'),
    findingFiles: of(MAX_DIAGNOSTIC_FILES, 'files', 'those that they lie in'),
    commandTime: of(COMMAND_MS.default, 'ms', 'a command of Bash where no timeout is given'),
    commandTimeMost: of(COMMAND_MS.most, 'ms', 'the longest timeout'),
    outputBytes: of(SHOWN_HEAD + SHOWN_TAIL, 'bytes', 'of an output, its beginning and end'),
    outputFileBytes: of(SPILL_LIMITS.fileBytes, 'bytes', 'the file with the whole output'),
    outputFolderBytes: of(SPILL_LIMITS.folderBytes, 'bytes', 'all such files; the oldest go first'),
    outputAge: of(SPILL_LIMITS.ageMs, 'ms', 'how long they are kept'),
    changedFiles: of(MAX_CHANGED_FILES, 'files', 'those that a command is said to have changed'),
    receiptSize: of(MAX_RECEIPT, 'characters', 'a receipt over MCP'),
    serversMemory: of(ceiling, 'bytes', 'all language servers together'),
    serverIdle: of(SERVER_TIMINGS.idleMs, 'ms', 'a language server that nobody asks is ended'),
  };
}

function of(value: number, unit: FixedLimit['unit'], what: string): FixedLimit {
  return { value: Math.round(value), unit, what };
}
