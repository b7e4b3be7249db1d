import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readOrdinaryText } from '../disk-read-text.ts';
import { shippedServerDefinitions } from './disk-server-definitions.ts';
import { overrideDefinitions, withoutProjectCode } from './override-definitions.ts';
import type { ServerDefinition } from './server-definition.ts';
import { foldersUp } from './server-machine.ts';

const MAX_FILE_BYTES = 1024 * 1024;

/** A person's own servers: `$XDG_CONFIG_HOME/emend/servers.json`, else `~/.config/emend/servers.json`. */
export function userServersFile(): string {
  return join(configFolder(), 'servers.json');
}

/** A project's own servers, which count only where the project is trusted. */
export function projectServersFile(root: string): string {
  return join(root, '.emend', 'servers.json');
}

/** Servers as another file names them, which has been found fit to be heard. */
export interface ServerOverrides {
  readonly file: string;
  readonly servers: Readonly<Record<string, unknown>>;
}

/**
 * The definitions that hold for a root: emend's own, the person's over them, then the project's where it is trusted;
 * over all these `overrides`, in their order.
 * @throws Error naming the file that is wrong
 */
export async function serverDefinitionsFor(
  root: string,
  options: { readonly untrusted?: true | undefined; readonly overrides?: readonly ServerOverrides[] } = {},
): Promise<readonly ServerDefinition[]> {
  const definitions = await definitionsInFiles(root, options);
  const all = (options.overrides ?? []).reduce(
    (under, { file, servers }) => overrideDefinitions(under, servers, file),
    definitions,
  );
  return options.untrusted ? withoutProjectCode(all) : all;
}

async function definitionsInFiles(
  root: string,
  options: { readonly untrusted?: true | undefined },
): Promise<readonly ServerDefinition[]> {
  const ownFile = userServersFile();
  const own = overrideDefinitions(await shippedServerDefinitions(), await readJson(ownFile), ownFile);
  // What an untrusted project says is not even read.
  if (options.untrusted || !(await isTrusted(root))) return own;
  const projectFile = projectServersFile(root);
  return overrideDefinitions(own, await readJson(projectFile), projectFile);
}

/** The project's own servers file where it does not count, since the project is not trusted. */
export async function ignoredServersFile(root: string): Promise<string | undefined> {
  const file = projectServersFile(root);
  const isThere = (await stat(file).catch(() => undefined))?.isFile() ?? false;
  return isThere && !(await isTrusted(root)) ? file : undefined;
}

/** Whether a person said of this folder, or of one above it, that what it names may run. */
export async function isTrusted(folder: string): Promise<boolean> {
  const trusted = await trustedFolders();
  return foldersUp(await realOf(folder)).some((one) => trusted.includes(one));
}

/** The folders that are trusted, in the order in which they were named. */
export async function trustedFolders(): Promise<readonly string[]> {
  const { folders } = await readJson(trustFile());
  return Array.isArray(folders) ? folders.filter((one) => typeof one === 'string') : [];
}

/** Trusts a folder and all below it, or trusts it no more. */
export async function setTrust(folder: string, trust: 'trusted' | 'untrusted'): Promise<void> {
  const real = await realOf(folder);
  const others = (await trustedFolders()).filter((one) => one !== real);
  const folders = trust === 'trusted' ? [...others, real] : others;
  await mkdir(dirname(trustFile()), { recursive: true, mode: 0o700 });
  await writeFile(trustFile(), `${JSON.stringify({ folders }, undefined, 2)}\n`, { mode: 0o600 });
}

function trustFile(): string {
  return join(configFolder(), 'trusted.json');
}

/** Where a person's own choices are: `$XDG_CONFIG_HOME/emend`, else `~/.config/emend`. */
export function configFolder(): string {
  const configured = process.env.XDG_CONFIG_HOME;
  return join(configured && isAbsolute(configured) ? configured : join(homedir(), '.config'), 'emend');
}

function realOf(folder: string): Promise<string> {
  return realpath(folder).catch(() => resolve(folder));
}

/** An object, empty where there is no file. @throws Error naming the file that is no JSON object */
async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  const read = await readOrdinaryText(file, MAX_FILE_BYTES);
  if (read.status === 'absent') return {};
  if (read.status === 'unfit') throw new Error(`${file} ${read.why}. Mend or remove the file.`);
  try {
    const value: unknown = JSON.parse(read.text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${String(cause)}. Mend or remove the file.`, { cause });
  }
  throw new Error(`${file} holds no JSON object. Mend or remove the file.`);
}
