import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { BrokerRoot } from '../broker/broker-root.ts';
import type { Session } from '../broker/session.ts';
import { ledgerOf } from '../broker/session-ledger.ts';
import type { EditorBuffer } from './editor-protocol.ts';

interface Lost {
  readonly path: string;
  readonly text: string;
}

/** Unsaved text that went with its editor, and which sessions were told of it. */
export class LostBuffers {
  readonly #lost: Lost[] = [];
  readonly #told = new WeakMap<object, number>();
  #looking: Promise<void> = Promise.resolve();

  /** A buffer is gone: what it had and the disk does not have is lost. */
  closed(root: BrokerRoot, { path, text }: EditorBuffer): void {
    this.#looking = this.#looking.then(async () => {
      const opened = await root.documents.open(path).catch(() => undefined);
      const left = opened?.status === 'open' ? opened.document.snapshot.text : undefined;
      // Editors show one kind of line end, and not always the last one.
      if (left === undefined || lines(left) !== lines(text)) this.#lost.push({ path, text });
    });
  }

  /** What a session must be told before its next answer: of files that it saw, each once. */
  async notesFor(session: Session): Promise<readonly string[]> {
    await this.#looking;
    const { root } = session.root;
    const news = this.#lost.slice(this.#told.get(session.memory) ?? 0);
    this.#told.set(session.memory, this.#lost.length);
    const hasSeen = ({ path, text }: Lost): boolean => {
      const hash = createHash('sha256').update(text).digest('hex');
      return ledgerOf(session).look(path, { hash, text }).status !== 'unseen';
    };
    return news.filter(hasSeen).map(({ path }) => {
      const inside = relative(root, path);
      const shown = inside.startsWith('..') ? path : inside;
      return `note: ${shown} was closed in the editor and its unsaved text is gone: what counts now is the disk`;
    });
  }
}

function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
}
