import type { Random } from '@portolan/foundation/random';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { Observation } from '../observe/observation.ts';
import type { Places } from './places.ts';

/** The thread adds the time. */
type ConnectionObservation = WithoutTime<Observation & { kind: 'audit' | 'log' | 'login' }>;
type WithoutTime<T> = T extends unknown ? Omit<T, 'time'> : never;

/** What every cluster of a connection thread shares. */
export interface ThreadServices {
  readonly random: Random;
  /** Service time in milliseconds. */
  now(): number;
  /** Of machine time; the answer cancels. */
  after(ms: number, run: () => void): () => void;
  nextConnectionId(): number;
  readonly places: Places;
  /** Where members speak TLS: what they present. Until there is something they speak to nobody. */
  certificate?(): Certificate | undefined;
  observe(clusterId: string, observation: ConnectionObservation): void;
  onRefused(what: { clusterId: string; remote: string; reason: string }): void;
}
