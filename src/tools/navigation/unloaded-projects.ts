import { foldersWith } from '../../diagnostics/folders-with.ts';
import type { LanguageServer } from '../../workspace/language-server/language-server.ts';
import type { ToolCall } from '../tool.ts';

/** Milliseconds for which the projects of a root are known without another look. */
const KNOWN_MS = 30_000;

interface Known {
  readonly since: number;
  readonly folders: Promise<readonly string[]>;
}

const known = new WeakMap<LanguageServer, Known>();

/**
 * Of files that have a word, one of each project that a server has no file open of: it loads a project with the first
 * file of it that is opened, and of others it knows no use. Nothing where the root has one project.
 */
export async function inUnloadedProjects(
  call: ToolCall,
  server: LanguageServer,
  mentions: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const folders = await projectFolders(call, server);
  if (folders.length < 2) return [];
  const projectOf = (path: string): string | undefined => folders.find((folder) => path.startsWith(folder));
  const loaded = new Set(server.documents.paths().map(projectOf));
  const firsts: string[] = [];
  for (const path of await mentions()) {
    const project = projectOf(path);
    if (loaded.has(project)) continue;
    loaded.add(project);
    firsts.push(path);
  }
  return firsts;
}

/** Whether a server may not know all uses of a symbol, since a root has more projects than one. */
export async function hasSeveralProjects(call: ToolCall, server: LanguageServer): Promise<boolean> {
  return (await projectFolders(call, server)).length > 1;
}

/** Absolute, with a slash at their ends, the innermost first. */
function projectFolders(call: ToolCall, server: LanguageServer): Promise<readonly string[]> {
  const now = call.session.root.clock.now();
  const before = known.get(server);
  if (before && now - before.since < KNOWN_MS) return before.folders;
  const folders = listFolders(call, server);
  known.set(server, { since: now, folders });
  return folders;
}

async function listFolders(call: ToolCall, server: LanguageServer): Promise<readonly string[]> {
  const { definition, root } = server.resolved;
  if (!definition.projectFiles) return [];
  const { run } = call.session.root;
  const folders = (await foldersWith(definition.projectFiles, { run, root }, call.signal)).map(
    (folder) => `${folder}/`,
  );
  return [...folders].sort((a, b) => b.length - a.length);
}
