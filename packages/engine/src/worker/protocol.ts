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
 * What the engine host and its connection threads say to a query worker, and what it answers. Two kinds of port:
 * the *control port* (the worker's `parentPort`) opens and closes clusters; each connection thread has a
 * *request port* of its own, handed over by `connect`, so that a request takes one hop each way.
 */

/** Host to worker, on the control port. */
export type ControlMessage =
  | { readonly kind: 'connect'; readonly port: MessagePort }
  /** Answered by `opened` or `failed`; a cluster that is open only takes the new `info`. */
  | {
      readonly kind: 'open';
      readonly clusterId: string;
      readonly files: ClusterFiles;
      readonly info: ClusterInfo;
    }
  /** Members or version have changed. No answer. */
  | { readonly kind: 'configure'; readonly clusterId: string; readonly info: ClusterInfo }
  /** A thread searches for the cluster from here on, until it says itself that it is gone. No answer. */
  | { readonly kind: 'searchNode'; readonly clusterId: string; readonly link: NodeLink }
  | { readonly kind: 'searchStopped'; readonly clusterId: string; readonly stopped: string | undefined }
  /** Commits what waits, closes the file, gives memory back; answered by `closed`, also when it was not open. */
  | { readonly kind: 'close'; readonly clusterId: string }
  /** Service time was set; until the first of these it is machine time. No answer. */
  | { readonly kind: 'clock'; readonly setting: ClockSetting }
  /** Tells what the members have done so far, between two statements; answered by `told`. */
  | { readonly kind: 'tell' }
  /** Closes every cluster and ends the worker's ports; answered by `stopped`. */
  | { readonly kind: 'stop' };

/** Where the files of a cluster are. */
export interface ClusterFiles {
  readonly dir: string;
  /** Of its file, where it is encrypted. */
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
  | { readonly kind: 'told' }
  /** The users that commands have made, when a cluster opens and whenever they change. */
  | { readonly kind: 'accounts'; readonly accounts: OwnUsers }
  /** A command has met damage in the file of the cluster. */
  | { readonly kind: 'damaged'; readonly clusterId: string }
  /** A member is not to be elected for so many seconds; who is primary steps down. */
  | WithheldMessage
  /** The cluster has search indexes, which are to be followed. */
  | { readonly kind: 'follow'; readonly clusterId: string }
  | LogMessage
  | ObservedMessage;

export interface WithheldMessage {
  readonly kind: 'withhold';
  readonly clusterId: string;
  readonly member: string;
  readonly seconds: number;
}

/**
 * Connection thread to worker: what came in during one turn of the event loop. Most of it is a parcel of requests
 * (`parcel.ts`), each from the connection of a caller that was told of before; one with nothing else comes bare.
 */
export type RequestsMessage =
  | Uint8Array
  | {
      /** Who asks from here on, each over its connection; a later one takes the place of the former. */
      readonly callers?: readonly CallerOfCluster[];
      readonly parcel?: Uint8Array;
      /** Those that are handed over because they are large, or that are more than their bytes. */
      readonly requests?: readonly WireRequest[];
      /** Ids of connections that have ended. */
      readonly closed?: readonly number[];
    };

export interface CallerOfCluster {
  readonly clusterId: string;
  readonly caller: WireCaller;
}

/**
 * One OP_MSG. A connection sends its next request when the former is answered, except after `moreToCome`;
 * the worker keeps the order of one connection's requests even then.
 */
export interface WireRequest extends CallerOfCluster {
  /** Unique on its port until answered. */
  readonly requestId: number;
  /** Comes with commands that tell it. */
  readonly traffic?: MemberTraffic;
  /** A test has taken its time limit off. */
  readonly untimed?: boolean;
  /** The sections of the message: everything between the flag bits and the optional checksum. */
  readonly sections: Uint8Array;
}

/** Worker to connection thread: the answers that one turn has finished; a parcel with nothing else comes bare. */
export type RepliesMessage =
  | Uint8Array
  | (Announced & {
      readonly parcel?: Uint8Array;
      /** Those that are handed over because they are large. */
      readonly replies?: readonly WireReply[];
    });

/** What concerns clusters as a whole; it holds before the answers that follow. */
export interface Announced {
  /** Users who may log in besides the service's. */
  readonly accounts?: OwnUsers;
  /** The newest write of clusters where that is another than was told before. */
  readonly commits?: readonly LastWrite[];
}

/** The newest write of a cluster that is on the disk. */
export interface LastWrite {
  readonly clusterId: string;
  /** Its time in the oplog: seconds and the increment. */
  readonly seconds: number;
  readonly increment: number;
  /** Service time of it, in milliseconds. */
  readonly wall: number;
}

/** Users that were made by commands. */
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

/** What commands say about the cluster, by which members are told apart, and how it is set. */
export interface ClusterInfo extends Topology {
  readonly arguments?: ProcessArguments;
  readonly auditing?: AuditingSpec;
  /** Commands for tests are answered, as on no cluster that a service manages. */
  readonly testCommands?: boolean;
  /** Users and roles that the service has made; absent: none. */
  readonly access?: { readonly users: readonly Account[]; readonly customRoles: readonly CustomRoleSpec[] };
  /** How large the oplog may grow; a size of the engine's own where it is absent. */
  readonly oplogBytes?: number;
  /** How large its file may grow; as large as the disk where it is absent. */
  readonly diskBytes?: number;
}
