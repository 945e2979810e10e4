import type { Certificate } from '@portolan/foundation/tls/certificate';
import { type Call, type CallClient, type CallHandlers, type CallsOf, call } from '../interface/call.ts';
import { engineCalls } from '../interface/calls.ts';
import type { CollectionDigest } from '../interface/snapshot.ts';

export interface HostStatus {
  readonly pid: number;
  readonly deployments: number;
  /** Resident memory of the process, in bytes. */
  readonly rss: number;
  /** CPU time of all threads of the process, in microseconds. Absent for hosts of earlier versions. */
  readonly processor?: { readonly user: number; readonly system: number };
}

/** The address at which a host listens for control connections from other machines. */
export interface PeerAddress {
  /** An IP address or name of the host's machine. */
  readonly host: string;
  /** The port to listen on; 0 selects a free port. */
  readonly port: number;
  readonly certificate: Certificate;
}

/**
 * `busy`: a cluster was being written to, so the copies could not be fixed at one point in time. The caller tries
 * again. `changed`: a deployment was created since the preparation, or the host was restarted. The caller prepares the
 * copy again.
 */
export type CopyOutcome = 'begun' | 'busy' | 'changed';

export interface ClusterDigests {
  readonly id: string;
  readonly collections: readonly CollectionDigest[];
}

/** The calls that only an embedded engine has. It also has the calls of every engine. */
const hostCalls = {
  status: call<() => HostStatus>()('host', 'value', { timeoutMs: 30_000 }),
  /**
   * Listens over TLS for services on other machines, and returns the port. Without an address, stops listening. The
   * host keeps the key of the certificate only in memory, so this call is sent to every new host.
   */
  listenToPeers: call<(address?: PeerAddress) => number | undefined>()('host', 'value', {
    timeoutMs: 30_000,
  }),
  /**
   * Prepares to copy the folder of every deployment into `to`: removes the contents of `to`, waits until no deployment
   * is being changed, and opens files. Changes of deployments then wait until `finishCopy`.
   */
  prepareCopy: call<(to: string) => void>()('deployments', 'value', { timeoutMs: 600_000 }),
  /** Fixes the point in time of all copies. Takes some milliseconds, during which writes wait. */
  beginCopy: call<(to: string) => CopyOutcome>()('deployments', 'value', { timeoutMs: 60_000 }),
  /** Resolves when the copies are complete. Abandons copies that `beginCopy` did not start. */
  finishCopy: call<(to: string) => void>()('deployments', 'value', { timeoutMs: 600_000 }),
  /** Returns digests of the collections in the closed clusters whose folders are in `folder`. */
  digestClusters: call<(folder: string) => readonly ClusterDigests[]>()('deployments', 'value', {
    timeoutMs: 600_000,
  }),
  /** Closes all ports and databases and ends the process. Replies before the process exits. */
  stop: call<() => void>()('host', 'value', { timeoutMs: 120_000, repeatable: false }),
};

/** All calls on a control connection. */
export const controlCalls = { ...engineCalls, ...hostCalls };

type ControlTable = typeof controlCalls;
export type ControlClient = CallClient<ControlTable>;
export type ControlCalls = CallHandlers<ControlTable>;

/** The calls that the part `P` of the host implements. */
export type PartOfHost<P extends 'deployments' | 'host'> = CallHandlers<CallsOf<ControlTable, P>>;

/**
 * The methods for the calls that change one deployment. They return nothing, because the host replies to each such call
 * with the new description of the deployment.
 */
export type DeploymentChanges = {
  readonly [N in keyof CallsOf<ControlTable, 'deployment'>]: Change<ControlTable[N]>;
};

type Change<C> =
  C extends Call<string, 'value', infer S>
    ? Parameters<S> extends [string, ...infer Rest]
      ? (...args: Rest) => Promise<void>
      : never
    : never;
