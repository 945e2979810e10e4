import type {
  DatabaseSizes,
  IndexAsked,
  IndexFollowed,
  MemberSample,
  SearchIndexSample,
} from '../interface/engine.ts';
import type { MemberTraffic } from './member-traffic.ts';
import type { AuditEvent, LogEvent } from './observer.ts';

/** Samples are so far apart, in machine time. */
export const SAMPLE_MS = 10_000;

/** What threads tell the host of a cluster; it writes everything down. Times are service time in milliseconds. */
export type Observation =
  | { readonly kind: 'log'; readonly time: number; readonly event: LogEvent }
  | { readonly kind: 'audit'; readonly time: number; readonly event: AuditEvent }
  | { readonly kind: 'login'; readonly time: number; readonly login: LoginObserved }
  | {
      readonly kind: 'rotate';
      readonly time: number;
      readonly member: string;
      readonly log: 'audit' | 'server';
    }
  /** By member: what its ports have seen. */
  | { readonly kind: 'traffic'; readonly traffic: Readonly<Record<string, MemberTraffic>> }
  /** By member: what its commands have done. */
  | {
      readonly kind: 'work';
      readonly work: Readonly<Record<string, Work>>;
      readonly whole: Whole;
      readonly databases: Readonly<Record<string, DatabaseSizes>>;
    };

export interface Work
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
  /** By the ids of indexes. */
  readonly searches: Readonly<Record<string, IndexAsked>>;
}

/** What all members have in common. */
export interface Whole extends Pick<MemberSample, 'oplog' | 'cursors' | 'expired' | 'sizes'> {
  /** By the ids of search indexes: those that are defined. */
  readonly searchIndexes: Readonly<
    Record<string, Omit<SearchIndexSample, keyof IndexAsked | keyof IndexFollowed>>
  >;
}

export interface LoginObserved {
  readonly member: string;
  readonly connectionId: number;
  /** `192.0.2.1:50000` */
  readonly remote: string;
  readonly username: string;
  readonly database: string;
  readonly mechanism: string;
  /** Absent when it succeeded. */
  readonly failure?: string;
}

export interface ObservedMessage {
  readonly kind: 'observed';
  readonly clusterId: string;
  readonly observations: readonly Observation[];
}
