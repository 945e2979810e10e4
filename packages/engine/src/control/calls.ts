import type { Certificate } from '@portolan/foundation/tls/certificate';
import { type Call, type CallClient, type CallHandlers, type CallsOf, call } from '../interface/call.ts';
import { engineCalls } from '../interface/calls.ts';
import type { CollectionDigest } from '../interface/snapshot.ts';

export interface HostStatus {
  readonly pid: number;
  readonly deployments: number;
  /** Bytes of memory that the process holds. */
  readonly rss: number;
  /** Processor time of all its threads so far, in microseconds; hosts of earlier versions do not tell it. */
  readonly processor?: { readonly user: number; readonly system: number };
}

/** Where a host takes control connections of services on other machines. */
export interface PeerAddress {
  /** An address of its machine. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly certificate: Certificate;
}

export interface ClusterDigests {
  readonly id: string;
  readonly collections: readonly CollectionDigest[];
}

/** What a host can be asked besides what every engine can. */
const hostCalls = {
  status: call<() => HostStatus>()('host', 'value', { timeoutMs: 30_000 }),
  /**
   * Listens for services of other machines, over TLS, and answers the port; without an address nowhere any more. The
   * key is kept in memory only, so this is sent to every new host.
   */
  listenToPeers: call<(address?: PeerAddress) => number | undefined>()('host', 'value', {
    timeoutMs: 30_000,
  }),
  /**
   * Copies the folder of every deployment into `to`, all as they are at one moment, in which no database is written to;
   * drivers are served meanwhile, and wait for that moment at most. What is in `to` is removed first.
   */
  copyClusters: call<(to: string) => void>()('deployments', 'value', { timeoutMs: 600_000 }),
  /** What is in each collection of the clusters whose folders, which nobody has open, are in `folder`. */
  digestClusters: call<(folder: string) => readonly ClusterDigests[]>()('deployments', 'value', {
    timeoutMs: 600_000,
  }),
  /** Closes every port, brings the files in order and ends the process; answered before it is gone. */
  stop: call<() => void>()('host', 'value', { timeoutMs: 120_000, repeatable: false }),
};

/** Everything that goes over a control connection. */
export const controlCalls = { ...engineCalls, ...hostCalls };

type ControlTable = typeof controlCalls;
export type ControlClient = CallClient<ControlTable>;
export type ControlCalls = CallHandlers<ControlTable>;

/** The calls that a part of the host does, as it has to have them. */
export type PartOfHost<P extends 'deployments' | 'host'> = CallHandlers<CallsOf<ControlTable, P>>;

/** The changes of one deployment: what they answer, its description, is added behind them. */
export type DeploymentChanges = {
  readonly [N in keyof CallsOf<ControlTable, 'deployment'>]: Change<ControlTable[N]>;
};

type Change<C> =
  C extends Call<string, 'value', infer S>
    ? Parameters<S> extends [string, ...infer Rest]
      ? (...args: Rest) => Promise<void>
      : never
    : never;
