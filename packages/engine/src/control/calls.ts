import type { Certificate } from '@portolan/foundation/tls/certificate';
import { type Call, type CallClient, type CallHandlers, type CallsOf, call } from '../interface/call.ts';
import { engineCalls } from '../interface/calls.ts';
import type { CollectionDigest } from '../interface/snapshot.ts';

export interface HostStatus {
  readonly pid: number;
  readonly deployments: number;
  /** Resident memory of the process in bytes. */
  readonly rss: number;
  /** CPU time of all its threads so far, in microseconds; absent from hosts of earlier versions. */
  readonly processor?: { readonly user: number; readonly system: number };
}

/** Where a host listens for control connections from other machines. */
export interface PeerAddress {
  /** An address of its machine. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly certificate: Certificate;
}

/**
 * `busy`: a cluster is being written, so the moment was not fixed; try again. `changed`: a deployment was made since the
 * copy was prepared, or the host has restarted; prepare it again.
 */
export type CopyOutcome = 'begun' | 'busy' | 'changed';

export interface ClusterDigests {
  readonly id: string;
  readonly collections: readonly CollectionDigest[];
}

/** Calls of a host besides those of every engine. */
const hostCalls = {
  status: call<() => HostStatus>()('host', 'value', { timeoutMs: 30_000 }),
  /**
   * Listens for services of other machines over TLS and returns the port; without an address, stops listening. The key
   * is kept in memory only, so every new host is sent this call.
   */
  listenToPeers: call<(address?: PeerAddress) => number | undefined>()('host', 'value', {
    timeoutMs: 30_000,
  }),
  /**
   * Prepares to copy the folder of every deployment into `to`: waits until no deployment is being changed, and opens
   * files. Removes the contents of `to` first. No deployment is changed until `finishCopy`.
   */
  prepareCopy: call<(to: string) => void>()('deployments', 'value', { timeoutMs: 600_000 }),
  /** Fixes the one moment of all copies, in some milliseconds in which writes wait. */
  beginCopy: call<(to: string) => CopyOutcome>()('deployments', 'value', { timeoutMs: 60_000 }),
  /** Resolves when the copies are complete; one that was not begun is abandoned. */
  finishCopy: call<(to: string) => void>()('deployments', 'value', { timeoutMs: 600_000 }),
  /** The contents of each collection of the closed clusters whose folders are in `folder`. */
  digestClusters: call<(folder: string) => readonly ClusterDigests[]>()('deployments', 'value', {
    timeoutMs: 600_000,
  }),
  /** Closes every port and database and ends the process; replies before it exits. */
  stop: call<() => void>()('host', 'value', { timeoutMs: 120_000, repeatable: false }),
};

/** All calls of a control connection. */
export const controlCalls = { ...engineCalls, ...hostCalls };

type ControlTable = typeof controlCalls;
export type ControlClient = CallClient<ControlTable>;
export type ControlCalls = CallHandlers<ControlTable>;

/** The calls that a part of the host implements. */
export type PartOfHost<P extends 'deployments' | 'host'> = CallHandlers<CallsOf<ControlTable, P>>;

/** Calls that change one deployment. The host adds the new description of the deployment as their result. */
export type DeploymentChanges = {
  readonly [N in keyof CallsOf<ControlTable, 'deployment'>]: Change<ControlTable[N]>;
};

type Change<C> =
  C extends Call<string, 'value', infer S>
    ? Parameters<S> extends [string, ...infer Rest]
      ? (...args: Rest) => Promise<void>
      : never
    : never;
