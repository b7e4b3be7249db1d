import type { CodeAction } from 'vscode-languageserver-protocol';
import { type Refusal, refuse } from '../../../broker/refusal.ts';
import type { FileDiagnostic } from '../../../diagnostics/report.ts';
import type { PositionEncoding } from '../../../workspace/language-server/position-encoding.ts';
import { plural } from '../../../workspace/truncation.ts';
import { visibleName } from '../../../workspace/visible-text.ts';
import type { ToolCall, ToolResult } from '../../tool.ts';
import { type Address, findFile } from '../address.ts';
import { askFile, findSpots, navigationBudgetMs, type OpenFile } from '../ask-at.ts';
import { type Asking, addressOf } from '../read-operations.ts';
import { answeredOr } from '../reply-result.ts';
import type { ChangeArgs } from './change-args.ts';
import { type ActionRange, ORGANIZE_IMPORTS, type PickedAction, pickAction } from './code-actions.ts';
import { type EditedFile, editedFiles } from './edited-files.ts';
import { landEdits } from './land-edits.ts';
import type { ServerTexts } from './server-texts.ts';

/** What a session was shown of one place: a number means what it meant there. */
interface Shown {
  readonly path: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/** By session, then by place. */
const listed = new WeakMap<object, ReadonlyMap<string, Shown>>();
/** More lists than this are not remembered. */
const MAX_LISTED = 50;

interface Listed extends PickedAction {
  /** The file's, when they were listed. */
  readonly text: string;
  readonly refusal: Refusal | undefined;
  readonly encoding: PositionEncoding;
}

/** Lists the code actions at a place, or applies the one of a number. */
export async function codeAction(args: ChangeArgs, asking: Asking): Promise<ToolResult> {
  const { call, answer } = asking;
  const address = await addressOf(args, asking);
  if ('result' in address) return address.result;
  const { file } = address;
  const diagnostics = await diagnosticsOf(call, address);
  const reply = await askFile<Listed>(call, file, {
    needs: 'codeActionProvider',
    isEmpty: ({ actions }) => actions.length === 0,
    async ask(open) {
      const { encoding } = open;
      const text = open.document.getText();
      const range = await rangeOf(open, address, diagnostics);
      if ('status' in range) {
        return { actions: [], edits: undefined, texts: new Map(), text, refusal: range, encoding };
      }
      const { action = 0 } = args;
      const picked = await pickAction(call, { file: open, range }, (actions) => actions[action - 1]);
      return { ...picked, text, refusal: undefined, encoding };
    },
  });
  const told = answeredOr(reply, { answer, languageId: file.languageId });
  if (told.status === 'over') return told.result;
  const { actions, text, refusal, encoding, edits, texts } = told.answer;
  if (refusal) return answer.refused(refusal);
  const key = JSON.stringify([file.path, args.symbol, args.line, args.character]);
  const titles = actions.map(({ title }) => title);
  const known = listed.get(call.session.memory) ?? new Map<string, Shown>();
  const before = known.get(key);
  const others = [...known].filter(([other]) => other !== key).slice(1 - MAX_LISTED);
  listed.set(call.session.memory, new Map([...others, [key, { path: file.path, titles, text }]]));
  if (args.action === undefined)
    return answer.ok(listText(actions, file.shown), { complete: true, total: actions.length });
  const title = titles[args.action - 1];
  if (title === undefined || !edits) {
    const message = `there is no action ${args.action}. ${listText(actions, file.shown)}`;
    return answer.refused(refuse('invalid_arguments', message));
  }
  if (!before && others.some(([, { path }]) => path === file.path)) {
    const message = `action ${args.action} was listed for another place of ${file.shown}. ${listText(actions, file.shown)}`;
    return answer.refused(refuse('invalid_arguments', message));
  }
  // The same title in another text may be of another symbol.
  if (before && (before.titles[args.action - 1] !== title || before.text !== text)) {
    return answer.refused(
      refuse('stale', `the file or its actions are other ones now. ${listText(actions, file.shown)}`),
    );
  }
  if ('status' in edits) return answer.refused(edits);
  const { server } = told;
  const mode = args.dry_run ? 'plan' : 'write';
  return apply(asking, { edits, texts, encoding, server, note: visibleName(title), mode });
}

/** Sorts and cleans the imports of a file, as its server does it. */
export async function organizeImports(args: ChangeArgs, asking: Asking): Promise<ToolResult> {
  const { call, answer } = asking;
  if (args.filePath === undefined)
    return answer.refused(refuse('invalid_arguments', 'organizeImports needs filePath.'));
  const file = await findFile(args.filePath, call);
  if ('status' in file) return answer.refused(file);
  const reply = await askFile(call, file, {
    needs: 'codeActionProvider',
    isEmpty: () => false,
    async ask(open) {
      const end = open.document.getText().length;
      const range = { start: 0, end, diagnostics: [], only: ORGANIZE_IMPORTS };
      const { edits = [], texts } = await pickAction(call, { file: open, range }, ([first]) => first);
      return { encoding: open.encoding, edits, texts };
    },
  });
  const told = answeredOr(reply, { answer, languageId: file.languageId });
  if (told.status === 'over') return told.result;
  const { edits, encoding, texts } = told.answer;
  if ('status' in edits) return answer.refused(edits);
  const nothing = `${file.shown}: ${told.server} has nothing to organise`;
  const mode = args.dry_run ? 'plan' : 'write';
  return apply(asking, { edits, texts, encoding, server: told.server, note: 'imports organised', mode, nothing });
}

async function apply(
  { call, answer }: Asking,
  change: {
    readonly edits: readonly unknown[];
    readonly texts: ServerTexts;
    readonly encoding: PositionEncoding;
    readonly server: string;
    readonly note: string;
    readonly mode: 'write' | 'plan';
    /** Said where nothing is to be changed; a refusal where absent. */
    readonly nothing?: string;
  },
): Promise<ToolResult> {
  const files: EditedFile[] = [];
  for (const edit of change.edits) {
    const edited = await editedFiles(call, edit, change);
    if (edited.status === 'refused') return answer.refused(edited);
    if (edited.files.some(({ path }) => files.some((file) => file.path === path))) {
      return answer.refused(refuse('unavailable', `${change.note}: the server changes one file in two steps.`));
    }
    files.push(...edited.files);
  }
  if (files.length === 0 && change.nothing !== undefined) return answer.ok(change.nothing, { complete: true });
  return landEdits(call, { files, note: change.note }, change.mode);
}

/** What is wrong there now: a quick fix is a fix of it. */
async function diagnosticsOf(call: ToolCall, { file }: Address): Promise<readonly FileDiagnostic[]> {
  const { documents, diagnostics } = call.session.root;
  const opened = await documents.open(file.path, call.signal);
  if (opened.status !== 'open') return [];
  const state = await diagnostics.inspect(opened.document.snapshot, navigationBudgetMs(call), call.signal);
  return state.all ?? state.diagnostics;
}

/** A symbol's name, or a whole line where nothing in it is named, with what is wrong on these lines. */
async function rangeOf(
  open: OpenFile,
  address: Address,
  diagnostics: readonly FileDiagnostic[],
): Promise<ActionRange | Refusal> {
  const { document } = open;
  const found = await findSpots(open, address);
  if (found.status === 'refused') return found;
  const [spot] = found.spots;
  const line = address.line ?? document.positionAt(spot?.offset ?? 0).line;
  const own = diagnostics.filter(({ range }) => range.start.line <= line && range.end.line >= line);
  const isNamed = address.name !== undefined || address.character !== undefined;
  const start = isNamed ? (spot?.offset ?? 0) : document.offsetAt({ line, character: 0 });
  const end = isNamed
    ? start + (spot?.word.length ?? 0)
    : document.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
  return { start, end, diagnostics: own };
}

function listText(actions: readonly CodeAction[], shown: string): string {
  if (actions.length === 0) return `${shown}: no code action there`;
  const rows = actions.map(
    ({ title, kind }, index) =>
      `${index + 1}. ${visibleName(title)}${kind === undefined ? '' : ` [${visibleName(kind)}]`}`,
  );
  return [`${shown}: ${plural(actions.length, 'code action')}; action: N applies one`, ...rows].join('\n');
}
