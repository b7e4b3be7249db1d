import { dirname, resolve } from 'node:path';
import { findMentions } from '../../../diagnostics/find-mentions.ts';
import { moduleName } from '../../../diagnostics/module-name.ts';
import { applySpanEdits } from '../../../workspace/span.ts';
import { shownPath } from '../../named-path.ts';
import type { ToolCall } from '../../tool.ts';
import { mentionedText } from '../seen-texts.ts';
import type { EditedFile } from './edited-files.ts';

const MAX_FILES = 200;
const QUOTED = /(["'`])([^"'`\s]*\/[^"'`\s]*)\1/g;
const ENDING = /(?:\.d)?\.([cm]?)[jt]sx?$/;

/**
 * Where a path between quotes still leads to the old place of a moved file, as `test/a.ts:3`: a server mends imports, and
 * neither what a test mocks nor what `package.json` names. The moved file itself is not looked into.
 */
export async function stillNamed(
  call: ToolCall,
  { from, to }: { readonly from: string; readonly to: string },
  edited: readonly EditedFile[],
): Promise<readonly string[]> {
  const { root, run } = call.session.root;
  const [old, now] = [namesOf(from), namesOf(to)];
  const isOld = (name: string): boolean => old.includes(name) && !now.includes(name);
  const paths = await findMentions({ run, root, words: [moduleName(from)], likelier: [] });
  const found: string[] = [];
  for (const path of paths.filter((one) => one !== from).slice(0, MAX_FILES)) {
    const text = edited.find((file) => file.path === path);
    const after = text ? applySpanEdits(text.text ?? '', text.edits) : await mentionedText(call, path);
    for (const [index, line] of (after ?? '').split('\n').entries()) {
      const specs = [...line.matchAll(QUOTED)].map(([, , spec = '']) => spec.replace(ENDING, '.$1js'));
      const isNamed = specs.some((spec) => isOld(resolve(dirname(path), spec)) || isOld(resolve(root, spec)));
      if (isNamed) found.push(`${shownPath(root, path)}:${index + 1}`);
    }
  }
  return found;
}

/** As it may be named: by what it is compiled to, without its ending, or by its folder where it is the index file. */
function namesOf(path: string): readonly string[] {
  const bare = path.replace(ENDING, '');
  const names = [path.replace(ENDING, '.$1js'), bare];
  return bare.endsWith('/index') ? [...names, dirname(bare)] : names;
}
