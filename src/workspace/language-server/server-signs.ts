import { pathOfUri } from '../uri.ts';
import type { ResolvedServer } from './resolve-server.ts';
import type { ServerDefinition } from './server-definition.ts';
import { VersionReport } from './version-report.ts';

type Sign = NonNullable<ServerDefinition['readyWhen']>;

/**
 * What a server lets know beside its answers: that it is ready, and that it can't check, of which its answers say
 * nothing. Both are forgotten with each new process.
 */
export class ServerSigns {
  readonly #definition: ServerDefinition;
  readonly #version: VersionReport;
  /** Why it can't, by the file that it named; under '' where it named none. */
  readonly #cannot = new Map<string, string>();
  #isReady: boolean;
  #onReady: (() => void)[] = [];
  #knowsFiles: boolean;
  #onFiles: (() => void)[] = [];

  constructor({ definition, projectVersion }: Pick<ResolvedServer, 'definition' | 'projectVersion'>) {
    this.#definition = definition;
    this.#version = new VersionReport({ definition, projectVersion });
    this.#isReady = definition.readyWhen === undefined;
    this.#knowsFiles = definition.knowsFilesWhen === undefined;
  }

  /** A new process begins. */
  reset(): void {
    this.#cannot.clear();
    this.#isReady = this.#definition.readyWhen === undefined;
    this.#knowsFiles = this.#definition.knowsFilesWhen === undefined;
  }

  /** Takes every notification of the server, and every request that nobody else answers. */
  note(method: string, params: unknown): void {
    this.#version.note(method, params);
    const { readyWhen, knowsFilesWhen = [], cannot } = this.#definition;
    if (
      method === 'window/logMessage' &&
      isRecord(params) &&
      knowsFilesWhen.some((begin) => beginsWith(params, begin))
    ) {
      this.#knowsFiles = true;
      for (const tell of this.#onFiles.splice(0)) tell();
    }
    if (readyWhen && isSign(readyWhen, method, params)) {
      this.#isReady = true;
      for (const tell of this.#onReady.splice(0)) tell();
    }
    const ofMethod = cannot.filter((sign) => sign.method === method);
    if (ofMethod.length === 0) return;
    const sign = ofMethod.find((one) => isSign(one, method, params));
    const path = pathIn(params);
    if (sign) this.#cannot.set(path, sign.reason);
    else this.#cannot.delete(path);
  }

  /** It is ready, and has said nothing for which it could not be trusted: there is no {@link objection}. */
  get isSound(): boolean {
    return this.#isReady && this.#version.isAsAsked;
  }

  /** Why nothing that it says can be trusted, once it is ready. */
  async objection(ended: Promise<unknown>): Promise<string | undefined> {
    await this.ready(ended);
    return this.#version.objection();
  }

  /** Settles when the server is ready, or its process has ended. */
  async ready(ended: Promise<unknown>): Promise<void> {
    if (this.#isReady) return;
    await Promise.race([new Promise<void>((resolve) => this.#onReady.push(resolve)), ended]);
  }

  /** Settles when the server knows the files of its workspace, has not said so for `ms`, or its process has ended. */
  async knowsFiles(ended: Promise<unknown>, ms: number): Promise<void> {
    if (this.#knowsFiles) return;
    let timer: NodeJS.Timeout | undefined;
    const said = new Promise<void>((resolve) => {
      this.#onFiles.push(resolve);
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([said, ended]);
    clearTimeout(timer);
  }

  /** Why what it answers about a file means nothing. */
  objectionTo(path: string): string | undefined {
    return this.#cannot.get(path) ?? this.#cannot.get('');
  }
}

function beginsWith({ message }: Readonly<Record<string, unknown>>, begin: string): boolean {
  return typeof message === 'string' && message.startsWith(begin);
}

function isSign(sign: Sign, method: string, params: unknown): boolean {
  return (
    sign.method === method &&
    Object.entries(sign.where).every(([name, value]) => isRecord(params) && params[name] === value)
  );
}

function pathIn(params: unknown): string {
  if (!isRecord(params)) return '';
  const named = [params.uri, ...[params.source, params.textDocument].map((one) => isRecord(one) && one.uri)];
  const uri = named.find((one) => typeof one === 'string');
  return typeof uri === 'string' ? (pathOfUri(uri) ?? '') : '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
