import { join } from 'node:path';
import type { Activity } from './editor-protocol.ts';
import type { CallResult } from './tool-host.ts';

/** What was changed at a root of late, for the person at the editor. */
export class EditActivity {
  #edits: readonly NonNullable<Activity['lastEdit']>[] = [];

  get last(): Activity['lastEdit'] {
    return this.#edits.at(-1);
  }

  /** Takes the answer of a call; `true` where it changed something. @param root what its paths are relative to */
  take(result: CallResult, { root, time }: { readonly root: string; readonly time: Date }): boolean {
    const { receipt } = result;
    if (!result.ok || receipt.undo === undefined || receipt.files.length === 0) return false;
    const files = receipt.files.map(({ path, added, removed, diff }) => ({
      path: join(root, path).startsWith(root) && !path.startsWith('/') ? join(root, path) : path,
      added,
      removed,
      diff,
    }));
    this.#edits = [...this.#edits.slice(-49), { id: receipt.id, tool: receipt.tool, time: time.toISOString(), files }];
    return true;
  }

  /** An edit that was taken back is not the last one any more. */
  forget(id: string): void {
    this.#edits = this.#edits.filter((edit) => edit.id !== id);
  }
}
