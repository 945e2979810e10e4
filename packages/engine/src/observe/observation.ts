import type {
  DatabaseSizes,
  IndexChanges,
  IndexQueries,
  MemberSample,
  SearchIndexSample,
} from '../interface/engine.ts';
import type { MemberTraffic } from './member-traffic.ts';
import type { SentAudit, SentLog } from './sent-events.ts';

/** The interval between two samples, in milliseconds of machine time. */
export const SAMPLE_MS = 10_000;

/**
 * A message from a thread of a cluster to the host, which writes it to files. Times are service times (see
 * `docs/glossary.md`), in milliseconds since 1970.
 */
export type Observation =
  | { readonly kind: 'log'; readonly time: number; readonly event: SentLog }
  | { readonly kind: 'audit'; readonly time: number; readonly event: SentAudit }
  | { readonly kind: 'login'; readonly time: number; readonly login: LoginObserved }
  | {
      readonly kind: 'rotate';
      readonly time: number;
      readonly member: string;
      readonly log: 'audit' | 'server';
    }
  /** Connection counters by member. */
  | { readonly kind: 'traffic'; readonly traffic: Readonly<Record<string, MemberTraffic>> }
  /** Operation counters by member. */
  | {
      readonly kind: 'work';
      readonly work: Readonly<Record<string, MemberWork>>;
      readonly whole: ClusterFigures;
      readonly databases: Readonly<Record<string, DatabaseSizes>>;
    };

export interface MemberWork
  extends Pick<
    MemberSample,
    | 'operations'
    | 'documents'
    | 'examined'
    | 'sorts'
    | 'latency'
    | 'processor'
    | 'asserts'
    | 'interrupted'
    | 'queued'
  > {
  /** Searches by search index id. */
  readonly searches: Readonly<Record<string, IndexQueries>>;
}

/** Statistics of the whole cluster. */
export interface ClusterFigures extends Pick<MemberSample, 'oplog' | 'cursors' | 'expired' | 'sizes'> {
  /** The defined search indexes by id. */
  readonly searchIndexes: Readonly<
    Record<string, Omit<SearchIndexSample, keyof IndexQueries | keyof IndexChanges>>
  >;
}

export interface LoginObserved {
  readonly member: string;
  readonly connectionId: number;
  /** The address and port of the client, for example `192.0.2.1:50000`. */
  readonly remote: string;
  readonly username: string;
  readonly database: string;
  readonly mechanism: string;
  /** The reason of the failure. Absent if the login succeeded. */
  readonly failure?: string;
}

export interface ObservedMessage {
  readonly kind: 'observed';
  readonly clusterId: string;
  readonly observations: readonly Observation[];
}
