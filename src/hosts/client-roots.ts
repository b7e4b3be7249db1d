import { stat } from 'node:fs/promises';
import type { Server } from '@modelcontextprotocol/server';
import { pathOfUri } from '../workspace/uri.ts';

/** A client that is asked for its roots may be showing a dialog; nothing else works meanwhile. */
const ASK_MS = 3000;

/**
 * The folders that a client names as its roots, `undefined` where it names none that exist. Clients of the 2026-07-28
 * protocol are not asked: it has no request from server to client, and calls roots deprecated.
 */
export async function clientRoots(server: Server): Promise<readonly [string, ...string[]] | undefined> {
  if (!server.getClientCapabilities()?.roots) return undefined;
  let uris: readonly string[];
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ASK_MS });
    uris = roots.map(({ uri }) => uri);
  } catch {
    // It said that it has roots and then did not tell: the working directory is the next best.
    return undefined;
  }
  const folders: string[] = [];
  for (const uri of uris) {
    const path = pathOfUri(uri);
    if (path !== undefined && (await stat(path).catch(() => undefined))?.isDirectory()) folders.push(path);
  }
  const [first, ...further] = folders;
  return first === undefined ? undefined : [first, ...further];
}
