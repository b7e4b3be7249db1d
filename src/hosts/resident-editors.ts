import { createSession, type Session } from '../broker/session.ts';
import { undoTool } from '../tools/undo.ts';
import type { RootSettings } from './config/root-settings.ts';
import { EditActivity } from './edit-activity.ts';
import { EditorLinks } from './editor-links.ts';
import type { Activity } from './editor-protocol.ts';
import { LostBuffers } from './lost-buffers.ts';
import { type OpenRoot, openRoot } from './open-root.ts';
import { createSessionHost } from './session-host.ts';
import type { ToolHost } from './tool-host.ts';

/** What a resident is to the editors of its user: their buffers lie over its files, and they see what it does. */
export class ResidentEditors {
  readonly #links: EditorLinks;
  readonly #lost = new LostBuffers();
  readonly #activity = new EditActivity();
  readonly #countFronts: () => number;
  #root: OpenRoot | undefined;

  /** @param countFronts how many agents are connected */
  constructor(countFronts: () => number) {
    this.#countFronts = countFronts;
    this.#links = new EditorLinks({
      onGone: (buffer) => this.#root && this.#lost.closed(this.#root, buffer),
      undo: () => this.#undo(),
      activity: () => this.#shown(),
      onEditor: (event, editor) => this.#root?.log?.write('info', event, { editor }),
    });
  }

  /** Opens a root under all buffers that are open now. */
  async openRoot(path: string, settings: RootSettings = {}): Promise<OpenRoot> {
    this.#root = await openRoot({ ...settings, root: path, layers: this.#links });
    await this.#links.look();
    return this.#root;
  }

  /** Fetches what a new editor has open. */
  look(): Promise<void> {
    return this.#links.look();
  }

  /** Shows the editors who is there and what was changed. */
  show(): void {
    this.#links.show(this.#shown());
  }

  /** A session's tools, which tell it of unsaved text that is gone, and the editors of its edits. */
  around(host: ToolHost, session: Session): ToolHost {
    return {
      ...host,
      call: async (name, args, call) => {
        const notes = await this.#lost.notesFor(session);
        const result = await host.call(name, args, call);
        if (this.#activity.take(result, { root: session.root.root, time: session.root.clock.date() })) this.show();
        return notes.length === 0 ? result : { ...result, text: [result.text, ...notes].join('\n') };
      },
    };
  }

  close(): void {
    this.#links.close();
  }

  async #undo(): Promise<{ readonly ok: boolean; readonly text: string }> {
    const id = this.#activity.last?.id;
    if (!this.#root || id === undefined) return { ok: false, text: 'No agent has changed anything here yet.' };
    const host = createSessionHost(createSession(this.#root, 'editor'), [undoTool]);
    const { ok, text } = await host.call('Undo', { id });
    if (ok) this.#activity.forget(id);
    this.show();
    // A person at the editor is shown the first line.
    return { ok, text: ok ? `${id} is undone. ${text}` : text };
  }

  #shown(): Activity {
    const { last } = this.#activity;
    return { root: this.#root?.root ?? '', fronts: this.#countFronts(), ...(last && { lastEdit: last }) };
  }
}
