import type { Random } from '@portolan/foundation/random';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { Observation } from '../observe/observation.ts';
import type { ConnectionLimiter } from './connection-limiter.ts';

/** An observation of a connection. The thread adds the time. */
type ConnectionObservation = WithoutTime<Observation & { kind: 'audit' | 'log' | 'login' }>;
type WithoutTime<T> = T extends unknown ? Omit<T, 'time'> : never;

/** Services that all clusters in a connection thread share. */
export interface ThreadServices {
  readonly random: Random;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  now(): number;
  /** Calls `run` after `ms` milliseconds of machine time. The returned function cancels the call. */
  after(ms: number, run: () => void): () => void;
  nextConnectionId(): number;
  readonly limiter: ConnectionLimiter;
  /** Returns the certificate of the server; absent without TLS. If the result is undefined, connections are closed. */
  certificate?(): Certificate | undefined;
  /** Called when the thread holds large messages, so that it returns their memory when it is idle. */
  heldMuch?(): void;
  /** Called for each message, so that the thread does not count as idle. */
  handled?(): void;
  observe(clusterId: string, observation: ConnectionObservation): void;
  onRejected(what: { clusterId: string; remote: string; reason: string }): void;
}
