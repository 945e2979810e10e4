import type { Random } from '@portolan/foundation/random';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { Observation } from '../observe/observation.ts';
import type { ConnectionLimiter } from './connection-limiter.ts';

/** Without the time, which the thread adds. */
type ConnectionObservation = WithoutTime<Observation & { kind: 'audit' | 'log' | 'login' }>;
type WithoutTime<T> = T extends unknown ? Omit<T, 'time'> : never;

/** Services shared by all clusters of a connection thread. */
export interface ThreadServices {
  readonly random: Random;
  /** Service time in milliseconds. */
  now(): number;
  /** Runs after so much machine time; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
  nextConnectionId(): number;
  readonly limiter: ConnectionLimiter;
  /** If members use TLS: the server certificate. While it returns undefined, all connections are closed. */
  certificate?(): Certificate | undefined;
  observe(clusterId: string, observation: ConnectionObservation): void;
  onRejected(what: { clusterId: string; remote: string; reason: string }): void;
}
