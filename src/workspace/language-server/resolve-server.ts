import { uriOfPath } from '../uri.ts';
import type { ServerDefinition, ServerPlace } from './server-definition.ts';
import { findPackage, type ServerMachine } from './server-machine.ts';
import { serverRoot } from './server-root.ts';
import { findSitePackages } from './site-packages.ts';

/** A server that can be started: one process serves all files that resolve to the same `key`. */
export interface ResolvedServer {
  readonly key: string;
  readonly definition: ServerDefinition;
  /** The workspace folder, absolute and real. */
  readonly root: string;
  readonly argv: readonly [string, ...string[]];
  readonly foundIn: ServerPlace['from'];
  /** The program's own version, `null` where only running it would tell. */
  readonly version: string | null;
  /** The version of the `project` package that it must use. */
  readonly projectVersion: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly initializationOptions: Readonly<Record<string, unknown>> | undefined;
  /** Where the interpreter has its packages, of a server that reads them; absolute. */
  readonly sitePackages: readonly string[];
}

/** `other`: the definition is not for this file's project. */
export type Resolution =
  | { readonly status: 'found'; readonly server: ResolvedServer }
  | { readonly status: 'missing'; readonly definition: ServerDefinition; readonly reason: string }
  | { readonly status: 'other' };

/** Which program serves a file under a definition, or why none does. Looks only; starts nothing. */
export async function resolveServer(
  machine: ServerMachine,
  definition: ServerDefinition,
  file: { readonly path: string; readonly boundary: string },
): Promise<Resolution> {
  const folder = file.path.slice(0, Math.max(1, file.path.lastIndexOf('/')));
  const rule = definition.project;
  const project = rule ? await findPackage(machine, folder, rule.package) : undefined;
  if (rule && !(project ? isMajor(project.version, rule.major) : rule.absent)) return { status: 'other' };

  const root = await serverRoot(machine, definition, file);
  if (root === undefined && definition.checker) return { status: 'other' };
  if (root === undefined) {
    return { status: 'missing', definition, reason: `${file.path} is in no project: no folder above it has a marker` };
  }
  for (const place of definition.places) {
    const program = await findProgram(machine, place, { folder, name: definition.name });
    if (!program) continue;
    const python = await findPython(machine, root);
    const values = {
      project: project?.folder,
      python,
      typescript: await findTypescript(machine, [folder, machine.ownFolder]),
      ownTypescript: await findTypescript(machine, [machine.ownFolder]),
      root,
      rootUri: uriOfPath(root),
      rootName: root.slice(root.lastIndexOf('/') + 1),
    };
    const filled = {
      settings: fill(definition.settings, values),
      initializationOptions: fill(definition.initializationOptions, values),
    };
    const key = JSON.stringify([definition.name, root, program.argv, filled]);
    const server = {
      key,
      definition,
      root,
      foundIn: place.from,
      projectVersion: project?.version,
      sitePackages: definition.packages === 'site-packages' ? await findSitePackages(machine, python) : [],
      ...program,
      ...filled,
    };
    return { status: 'found', server: server as ResolvedServer };
  }
  return { status: 'missing', definition, reason: `${definition.name} is not installed: ${definition.install}` };
}

interface Program {
  readonly argv: readonly [string, ...string[]];
  readonly version: string | null;
}

async function findProgram(
  machine: ServerMachine,
  place: ServerPlace,
  { folder, name: server }: { readonly folder: string; readonly name: string },
): Promise<Program | undefined> {
  if (place.from === 'path') {
    const command = await machine.onPath(place.command);
    return command === undefined ? undefined : { argv: [command, ...place.args], version: null };
  }
  const start = { bundled: machine.ownFolder, installed: `${machine.serversFolder}/${server}`, project: folder }[
    place.from
  ];
  const named = place.from === 'installed' ? undefined : place.via;
  const via = named === undefined ? undefined : await findPackage(machine, start, named);
  if (named !== undefined && !via) return undefined;
  const name = place.package.replace('{platform}', machine.platform).replace('{arch}', machine.arch);
  const found = await findPackage(machine, via?.folder ?? start, name);
  if (!found) return undefined;
  const entry = `${found.folder}/${place.entry}${place.runtime === 'native' && machine.platform === 'win32' ? '.exe' : ''}`;
  if (!(await machine.exists(entry))) return undefined;
  const argv =
    place.runtime === 'node' ? ([machine.node, entry, ...place.args] as const) : ([entry, ...place.args] as const);
  return { argv, version: found.version };
}

/** TypeScript with a `tsserver`, which 7 has no more. */
async function findTypescript(machine: ServerMachine, folders: readonly string[]): Promise<string | undefined> {
  for (const start of folders) {
    const found = await findPackage(machine, start, 'typescript');
    if (found && isMajor(found.version, { min: 4, max: 6 })) return found.folder;
  }
  return undefined;
}

function isMajor(version: string, range: { readonly min: number; readonly max?: number | undefined }): boolean {
  const major = Number.parseInt(version, 10);
  return major >= range.min && major <= (range.max ?? Number.POSITIVE_INFINITY);
}

async function findPython(machine: ServerMachine, root: string): Promise<string | undefined> {
  for (const folder of ['.venv', 'venv']) {
    const python = `${root}/${folder}/${machine.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python'}`;
    if (await machine.exists(python)) return python;
  }
  return undefined;
}

/** Replaces `${name}` in every string of a JSON value; a member that names a value which is absent is left out. */
function fill(value: unknown, values: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof value === 'string') {
    let isAbsent = false;
    const text = value.replace(/\$\{(\w+)\}/g, (_all, name: string) => {
      isAbsent ||= values[name] === undefined;
      return values[name] ?? '';
    });
    return isAbsent ? undefined : text;
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, fill(member, values)] as const);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}
