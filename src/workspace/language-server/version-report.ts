import type { ResolvedServer } from './resolve-server.ts';

const REPORT_MS = 10_000;

/**
 * Which version of the project's package a server says that it uses. Some fall back to another one without a word,
 * and then nothing that they find can be trusted.
 */
export class VersionReport {
  readonly #server: Pick<ResolvedServer, 'definition' | 'projectVersion'>;
  #version: string | undefined;
  #onReport: (() => void) | undefined;
  readonly #reported: Promise<void>;

  constructor(server: Pick<ResolvedServer, 'definition' | 'projectVersion'>) {
    this.#server = server;
    this.#reported = new Promise((resolve) => {
      this.#onReport = resolve;
    });
  }

  /** Takes every notification of the server. */
  note(method: string, params: unknown): void {
    if (method !== this.#server.definition.reportsVersion) return;
    const version = typeof params === 'object' && params !== null && 'version' in params ? params.version : undefined;
    this.#version = typeof version === 'string' ? version : undefined;
    this.#onReport?.();
  }

  /** It uses the version that the project has, or is not one that reports it. */
  get isAsAsked(): boolean {
    const { definition, projectVersion } = this.#server;
    return definition.reportsVersion === undefined || this.#version === projectVersion;
  }

  /** Waits until a server that is to report has, and says what is wrong with it; `undefined` where nothing is. */
  async objection(): Promise<string | undefined> {
    if (!this.isAsAsked && this.#version === undefined) await within(REPORT_MS, this.#reported);
    if (this.isAsAsked) return undefined;
    const { definition, projectVersion } = this.#server;
    const name = definition.project?.package ?? 'the package';
    return `it uses ${name} ${this.#version ?? 'of an unknown version'}, the project has ${projectVersion}`;
  }
}

async function within(ms: number, settled: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([settled, over]);
  clearTimeout(timer);
}
