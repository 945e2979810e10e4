import type { MessagePort } from 'node:worker_threads';
import type { ClockSetting } from '@portolan/foundation/clock';
import type { Account } from '../access/accounts.ts';
import type { WireCaller } from '../access/caller.ts';
import type { Topology } from '../commands/context/topology.ts';
import type { AuditingSpec, CustomRoleSpec, ProcessArguments, UserSpec } from '../interface/engine.ts';
import type { MemberTraffic } from '../observe/member-traffic.ts';
import type { ObservedMessage } from '../observe/observation.ts';
import type { NodeLink } from '../search/nodes/messages.ts';
import type { LogMessage } from './thread-log.ts';

/**
 * This file defines the messages between a query thread, the engine host, and its connection threads. There are two
 * kinds of ports. The *control port* (the thread's `parentPort`) opens and closes clusters. Each connection thread
 * has a *request port*, which it receives by `connect`, so that requests and replies are not forwarded by the host.
 */

/** A message from the host to the query thread, on the control port. */
export type ControlMessage =
  | { readonly kind: 'connect'; readonly port: MessagePort }
  /** Opens a cluster, or changes the `info` of an open one. The reply is `opened` or `failed`. */
  | {
      readonly kind: 'open';
      readonly clusterId: string;
      readonly files: ClusterFiles;
      readonly info: ClusterInfo;
    }
  /** The members or the version have changed. There is no reply. */
  | { readonly kind: 'configure'; readonly clusterId: string; readonly info: ClusterInfo }
  /** A search node serves the cluster from now on, until it reports its end. There is no reply. */
  | { readonly kind: 'searchNode'; readonly clusterId: string; readonly link: NodeLink }
  | { readonly kind: 'searchStopped'; readonly clusterId: string; readonly stopped: string | undefined }
  /**
   * Commits waiting writes, closes the file and releases memory. The reply is `closed`, even if the cluster was not
   * open.
   */
  | { readonly kind: 'close'; readonly clusterId: string }
  /** Sets service time, which equals machine time until the first such message. There is no reply. */
  | { readonly kind: 'clock'; readonly setting: ClockSetting }
  /** Requests the counters of the members, which are read between two statements. The reply is `reported`. */
  | { readonly kind: 'report' }
  /** Closes all clusters and ends the ports of the thread. The reply is `stopped`. */
  | { readonly kind: 'stop' };

/** The location of a cluster's files. */
export interface ClusterFiles {
  readonly dir: string;
  /** The key of the file if it is encrypted. */
  readonly key?: Uint8Array | undefined;
  /** True if replies do not wait for the disk. */
  readonly unsynced?: boolean | undefined;
}

/** A message from the query thread to the host, on the control port. */
export type ControlAnswer =
  | { readonly kind: 'opened'; readonly clusterId: string }
  /** `message` names the file and its fault. */
  | { readonly kind: 'failed'; readonly clusterId: string; readonly message: string }
  | { readonly kind: 'closed'; readonly clusterId: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'reported' }
  /** The users that commands have created. Sent when a cluster opens and after each change. */
  | { readonly kind: 'accounts'; readonly accounts: OwnUsers }
  | DamagedMessage
  /** Excludes a member from elections for some seconds. If it is the primary, it steps down. */
  | WithheldMessage
  /** The cluster has search indexes, which need to be updated. */
  | { readonly kind: 'follow'; readonly clusterId: string }
  | LogMessage
  | ObservedMessage;

/** A statement or background work has found damage in the file of a cluster. */
export interface DamagedMessage {
  readonly kind: 'damaged';
  readonly clusterId: string;
  readonly fault: string;
}

export interface WithheldMessage {
  readonly kind: 'withhold';
  readonly clusterId: string;
  readonly member: string;
  readonly seconds: number;
}

/**
 * A message from a connection thread to the query thread, with everything that the connection thread sends in
 * one event loop iteration. Most messages consist of a parcel of requests (`parcel.ts`), each from a
 * connection whose caller was announced before. A parcel alone is sent as plain bytes.
 */
export type RequestsMessage =
  | Uint8Array
  | {
      /** The callers of connections from now on. A later entry replaces an earlier one. */
      readonly callers?: readonly CallerOfCluster[];
      readonly parcel?: Uint8Array;
      /** Requests that are transferred because they are large, or that have fields besides their bytes. */
      readonly requests?: readonly WireRequest[];
      /** The ids of closed connections. */
      readonly closed?: readonly number[];
    };

export interface CallerOfCluster {
  readonly clusterId: string;
  readonly caller: WireCaller;
}

/**
 * An OP_MSG. A connection sends its next request after the reply to the previous one, except after `moreToCome`. The
 * query thread keeps the requests of a connection in order even then.
 */
export interface WireRequest extends CallerOfCluster {
  /** An id that no other unanswered request on the port has. */
  readonly requestId: number;
  /** The network traffic of the member. Present for commands that report it, such as `serverStatus`. */
  readonly traffic?: MemberTraffic;
  /** True if the client expects no reply. Such a write runs even if its connection closes before it begins. */
  readonly moreToCome?: boolean;
  /** True if a fail point has removed the time limit. */
  readonly untimed?: boolean;
  /** The sections of the message: everything between the flags and the optional checksum. */
  readonly sections: Uint8Array;
}

/**
 * A message from the query thread to a connection thread, with the replies of one turn. A parcel alone is
 * sent as plain bytes.
 */
export type RepliesMessage =
  | Uint8Array
  | (Announced & {
      readonly parcel?: Uint8Array;
      /** Replies that are transferred because they are large. */
      readonly replies?: readonly WireReply[];
    });

/** The state of clusters. It takes effect before the replies that follow. */
export interface Announced {
  /** The users who may authenticate besides those of the service. */
  readonly accounts?: OwnUsers;
  /** The newest write of each cluster that has changed since the last message. */
  readonly commits?: readonly LastWrite[];
}

/** The newest durable write of a cluster. */
export interface LastWrite {
  readonly clusterId: string;
  /** The time of the write in the oplog: seconds and increment. */
  readonly seconds: number;
  readonly increment: number;
  /** The service time of the write in milliseconds. */
  readonly wall: number;
}

/** The users that commands have created. */
export interface OwnUsers {
  readonly clusterId: string;
  /** A number that is incremented by every change. */
  readonly revision: number;
  readonly users: readonly UserSpec[];
}

export interface WireReply {
  readonly requestId: number;
  /** The reply as a BSON document: the body of a section of kind 0, without the byte for its kind. */
  readonly document: Uint8Array;
}

/** The members, identity and settings of the cluster. */
export interface ClusterInfo extends Topology {
  readonly arguments?: ProcessArguments;
  readonly auditing?: AuditingSpec;
  /** True to enable test commands, which managed clusters never have. */
  readonly testCommands?: boolean;
  /** Users and roles that the service has created; absent if there are none. */
  readonly access?: { readonly users: readonly Account[]; readonly customRoles: readonly CustomRoleSpec[] };
  /** Maximum size of the oplog in bytes; the default is that of the engine. */
  readonly oplogBytes?: number;
  /** Maximum size of the file in bytes; absent if only the disk limits it. */
  readonly diskBytes?: number;
}
