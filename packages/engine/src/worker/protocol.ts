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
 * Messages between a query worker, the engine host, and its connection threads. There are two kinds of port: the
 * *control port* (the worker's `parentPort`) opens and closes clusters; each connection thread has its own *request
 * port*, handed over by `connect`, so that a request takes one hop each way.
 */

/** Host to worker, on the control port. */
export type ControlMessage =
  | { readonly kind: 'connect'; readonly port: MessagePort }
  /** Answered by `opened` or `failed`. If the cluster is open, only its `info` changes. */
  | {
      readonly kind: 'open';
      readonly clusterId: string;
      readonly files: ClusterFiles;
      readonly info: ClusterInfo;
    }
  /** The members or the version have changed. No answer. */
  | { readonly kind: 'configure'; readonly clusterId: string; readonly info: ClusterInfo }
  /** A thread serves searches of the cluster from now on, until it reports that it ends. No answer. */
  | { readonly kind: 'searchNode'; readonly clusterId: string; readonly link: NodeLink }
  | { readonly kind: 'searchStopped'; readonly clusterId: string; readonly stopped: string | undefined }
  /**
   * Commits waiting writes, closes the file and releases memory. Answered by `closed`, even if the cluster was not
   * open.
   */
  | { readonly kind: 'close'; readonly clusterId: string }
  /** Sets service time, which is machine time until the first such message. No answer. */
  | { readonly kind: 'clock'; readonly setting: ClockSetting }
  /** Requests the members' counters, which are taken between two statements. answered by `reported`. */
  | { readonly kind: 'report' }
  /** Closes every cluster and ends the worker's ports; answered by `stopped`. */
  | { readonly kind: 'stop' };

/** Where the files of a cluster are. */
export interface ClusterFiles {
  readonly dir: string;
  /** The key of the file if it is encrypted. */
  readonly key?: Uint8Array | undefined;
  /** Answers do not wait for the disk. */
  readonly unsynced?: boolean | undefined;
}

/** Worker to host, on the control port. */
export type ControlAnswer =
  | { readonly kind: 'opened'; readonly clusterId: string }
  /** `message` names the file and what is wrong with it. */
  | { readonly kind: 'failed'; readonly clusterId: string; readonly message: string }
  | { readonly kind: 'closed'; readonly clusterId: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'reported' }
  /** The users that commands have created; sent when a cluster opens and on every change. */
  | { readonly kind: 'accounts'; readonly accounts: OwnUsers }
  | DamagedMessage
  /** A member must not be elected for so many seconds; if it is primary, it steps down. */
  | WithheldMessage
  /** The cluster has search indexes, which must follow its data. */
  | { readonly kind: 'follow'; readonly clusterId: string }
  | LogMessage
  | ObservedMessage;

/** A statement or background work has found damage in the cluster's file. */
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
 * Connection thread to worker: the messages of one turn of the event loop. Most are a parcel of requests (`parcel.ts`),
 * each from a connection whose caller was announced before. A parcel without other fields is sent as bare bytes.
 */
export type RequestsMessage =
  | Uint8Array
  | {
      /** The callers of connections from now on; a later entry replaces an earlier one. */
      readonly callers?: readonly CallerOfCluster[];
      readonly parcel?: Uint8Array;
      /** Requests that are transferred because they are large, or that have more fields than their bytes. */
      readonly requests?: readonly WireRequest[];
      /** The ids of closed connections. */
      readonly closed?: readonly number[];
    };

export interface CallerOfCluster {
  readonly clusterId: string;
  readonly caller: WireCaller;
}

/**
 * One OP_MSG. A connection sends its next request after the answer to the previous one, except after `moreToCome`; the
 * worker keeps the order of one connection's requests even then.
 */
export interface WireRequest extends CallerOfCluster {
  /** Unique on its port until answered. */
  readonly requestId: number;
  /** Sent with commands that report it. */
  readonly traffic?: MemberTraffic;
  /** A test has removed the time limit. */
  readonly untimed?: boolean;
  /** The sections of the message: everything between the flag bits and the optional checksum. */
  readonly sections: Uint8Array;
}

/** Worker to connection thread: the answers of one turn. A parcel without other fields is sent as bare bytes. */
export type RepliesMessage =
  | Uint8Array
  | (Announced & {
      readonly parcel?: Uint8Array;
      /** Answers that are transferred because they are large. */
      readonly replies?: readonly WireReply[];
    });

/** The state of clusters, which takes effect before the answers that follow. */
export interface Announced {
  /** Users who may authenticate besides those of the service. */
  readonly accounts?: OwnUsers;
  /** The newest write of each cluster in which it has changed since the last message. */
  readonly commits?: readonly LastWrite[];
}

/** The newest durable write of a cluster. */
export interface LastWrite {
  readonly clusterId: string;
  /** Its time in the oplog: seconds and the increment. */
  readonly seconds: number;
  readonly increment: number;
  /** Its service time in milliseconds. */
  readonly wall: number;
}

/** Users that commands have created. */
export interface OwnUsers {
  readonly clusterId: string;
  /** Grows with every change. */
  readonly revision: number;
  readonly users: readonly UserSpec[];
}

export interface WireReply {
  readonly requestId: number;
  /** The answer as one BSON document: the body of a section of kind 0, without its kind byte. */
  readonly document: Uint8Array;
}

/** The members, identity and settings of the cluster, as commands report them. */
export interface ClusterInfo extends Topology {
  readonly arguments?: ProcessArguments;
  readonly auditing?: AuditingSpec;
  /** Enables test commands, which no cluster of a service has. */
  readonly testCommands?: boolean;
  /** Users and roles that the service has created; absent: none. */
  readonly access?: { readonly users: readonly Account[]; readonly customRoles: readonly CustomRoleSpec[] };
  /** The maximum size of the oplog; absent: the engine's default. */
  readonly oplogBytes?: number;
  /** The maximum size of the file; absent: only the disk limits it. */
  readonly diskBytes?: number;
}
