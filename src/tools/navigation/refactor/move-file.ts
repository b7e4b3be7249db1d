import { basename, join } from 'node:path';
import type { FilesBefore, PlannedChange } from '../../../broker/change-request.ts';
import { linkName } from '../../../broker/open-files.ts';
import { type Refusal, refuse } from '../../../broker/refusal.ts';
import { moduleName } from '../../../diagnostics/module-name.ts';
import { languageIdOf } from '../../../workspace/document-snapshot.ts';
import { ServerFailure } from '../../../workspace/language-server/server-failure.ts';
import { isRecord } from '../../../workspace/navigation/read-places.ts';
import { plural } from '../../../workspace/truncation.ts';
import { uriOfPath } from '../../../workspace/uri.ts';
import type { ToolResult } from '../../tool.ts';
import { findFile } from '../address.ts';
import { askFile } from '../ask-at.ts';
import type { Asking } from '../read-operations.ts';
import { answeredOr } from '../reply-result.ts';
import { withMentions } from '../with-mentions.ts';
import type { ChangeArgs } from './change-args.ts';
import { type EditedFile, editedFiles, planEditedFiles } from './edited-files.ts';
import { landEdits } from './land-edits.ts';
import { textsOf } from './server-texts.ts';
import { stillNamed } from './still-named.ts';

const MAX_NAMED = 5;

/** Moves a file and has the server mend what imports it, as one change. */
export async function moveFile(args: ChangeArgs, { call, answer }: Asking): Promise<ToolResult> {
  if (args.filePath === undefined || args.newName === undefined || args.newName.trim() === '')
    return answer.refused(refuse('invalid_arguments', 'moveFile needs filePath, and the new path as newName.'));
  const file = await findFile(args.filePath, call);
  if ('status' in file) return answer.refused(file);
  const link = file.note === undefined ? await linkName(call.session.root, args.filePath, file.path) : undefined;
  if (link !== undefined) {
    const how = 'Name the file itself, or move the link with Bash.';
    return answer.refused(refuse('invalid_arguments', `${link} is a link to ${file.shown}. ${how}`));
  }
  const target = await call.session.root.confinement.resolve(args.newName);
  if (target.status === 'refused') return answer.refused(refuse(target.code, target.message));
  const isFolder = target.stat?.kind === 'directory' || /[/\\]$/.test(args.newName.trim());
  const to = isFolder ? join(target.path, basename(file.path)) : target.path;
  if (to === file.path) return answer.refused(refuse('identical', `${file.shown} is its path already.`));
  // Where case does not count, the name in another case leads to the file itself.
  if (!isFolder && target.stat && to.toLowerCase() !== file.path.toLowerCase()) {
    const how = 'Move to another name, or delete it first.';
    return answer.refused(refuse('exists', `${target.shown} is there already. ${how}`));
  }

  const beyond = new Set<string>();
  const reply = await askFile(call, file, {
    needs: 'workspace',
    isEmpty: () => false,
    async ask(open) {
      const { server, encoding } = open;
      const operations = server.session?.capabilities.workspace?.fileOperations;
      if (!operations?.willRename)
        throw new ServerFailure('refused', 'it does not mend imports of moved files; move it with apply_patch or mv');
      const files = [{ oldUri: uriOfPath(file.path), newUri: uriOfPath(to) }];
      const { languages } = server.resolved.definition;
      const move = async () => {
        const edit = await server.request('workspace/willRenameFiles', { files });
        return { encoding, edit, languages, texts: textsOf(server) };
      };
      const named = { file: open, word: moduleName(file.path) };
      return withMentions(call, named, move, { wanted: 'uses', onLeft: (words) => beyond.add(words) });
    },
  });
  const told = answeredOr(reply, { answer, languageId: file.languageId });
  if (told.status === 'over') return told.result;
  const { encoding, edit, languages, texts } = told.answer;
  const options = {
    encoding,
    texts,
    server: told.server,
    replaces: 'paths' as const,
    // Of settings such as tsconfig.json it is not known what they should be.
    skips: (path: string) => !languages.includes(languageIdOf(path)),
  };
  const edited = await editedFiles(call, atOldPlace(edit, { from: file.path, to }), options);
  if (edited.status === 'refused') return answer.refused(edited);
  const others = edited.files.filter(({ path }) => path !== file.path);
  const own = edited.files.find(({ path }) => path === file.path);
  const left =
    edited.skipped.length === 0 ? '' : `; ${edited.skipped.join(', ')} is as it was: see that it names the new place`;
  const named = await stillNamed(call, { from: file.path, to }, others);
  if (named.length > 0) {
    const more = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more places` : '';
    beyond.add(`the old path is still named at ${named.slice(0, MAX_NAMED).join(', ')}${more}`);
  }
  const note = [`imports mended in ${plural(others.length, 'other file')}${left}`, ...beyond].join('; ');
  return landEdits(
    call,
    {
      files: others,
      note,
      paths: [file.path, to],
      plan: (files) => planMove(files, { path: file.path, to, own, others }),
    },
    args.dry_run ? 'plan' : 'write',
  );
}

function planMove(
  files: FilesBefore,
  move: {
    readonly path: string;
    readonly to: string;
    readonly own: EditedFile | undefined;
    readonly others: readonly EditedFile[];
  },
): PlannedChange | Refusal {
  const plan = planEditedFiles(files, [...move.others, ...(move.own ? [move.own] : [])]);
  if (plan.status === 'refused') return plan;
  const file = files.at(move.path);
  const edits = move.own?.edits ?? [];
  const others = plan.files.filter((one) => one.file.path !== move.path);
  return { status: 'planned', files: [{ op: 'move', file, to: files.at(move.to), edits }, ...others] };
}

/** A server may name the file by where it will be; its text is still where it was. */
function atOldPlace(edit: unknown, { from, to }: { readonly from: string; readonly to: string }): unknown {
  const [oldUri, newUri] = [uriOfPath(from), uriOfPath(to)];
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isRecord(value)) return value === newUri ? oldUri : value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key === newUri ? oldUri : key,
        key === 'newText' ? member : renamed(member),
      ]),
    );
  };
  return renamed(edit);
}
