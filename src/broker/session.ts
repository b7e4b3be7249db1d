import type { BrokerRoot } from './broker-root.ts';

/**
 * One caller's run: a stdio connection, `createBroker({ session })`, or `emend call --session ID`. To it belong what
 * was read, the loop gate and the queue of late diagnostics; the rest belongs to the root.
 */
export interface Session {
  readonly id: string;
  readonly root: BrokerRoot;
}
