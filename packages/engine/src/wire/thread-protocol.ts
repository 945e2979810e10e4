import type { MessagePort } from 'node:worker_threads';
import type { ClockSetting } from '@portolan/foundation/clock';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { ObservedMessage } from '../observe/observation.ts';
import type { LogMessage } from '../worker/thread-log.ts';
import type { ClusterView } from './view.ts';

/**
 * Calls from the engine host to a connection thread. The thread replies to each call with an `answer` that has the same
 * `id`.
 */
export type ThreadCall =
  /** Adds or updates a cluster. Closes connections that the cluster no longer allows. */
  | { readonly kind: 'configure'; readonly view: ClusterView }
  | ({ readonly kind: 'listen'; readonly clusterId: string } & Listener)
  /** The thread replies when drivers have disconnected from these members, or have had enough time to do so. */
  | { readonly kind: 'drain'; readonly clusterId: string; readonly memberIds: readonly string[] }
  | { readonly kind: 'unlisten'; readonly clusterId: string; readonly memberId: string }
  /** Connects the thread to a query thread. The query thread receives requests at the other end of `port`. */
  | { readonly kind: 'worker'; readonly workerId: number; readonly port: MessagePort }
  /** Sets the query thread that runs the cluster's commands. Without a query thread, commands wait. */
  | { readonly kind: 'route'; readonly clusterId: string; readonly workerId?: number }
  /** Closes all ports and connections of the cluster. */
  | { readonly kind: 'forget'; readonly clusterId: string }
  | { readonly kind: 'clock'; readonly setting: ClockSetting }
  /** Requests a report of the traffic of all ports. */
  | { readonly kind: 'report' }
  /** Sets the certificate for later TLS connections. */
  | { readonly kind: 'certificate'; readonly certificate: Certificate };

export interface Listener {
  readonly memberId: string;
  readonly host: string;
  readonly port: number;
}

export interface ThreadRequest {
  readonly id: number;
  readonly call: ThreadCall;
}

export type ThreadMessage =
  /** `code` is the code of a system error, such as `EADDRINUSE` or `EACCES`. */
  | { readonly kind: 'answer'; readonly id: number; readonly error?: { message: string; code?: string } }
  | LogMessage
  | ObservedMessage;

/** The start parameters of the thread. `index` is used to make connection ids unique across threads. */
export interface ThreadData {
  readonly index: number;
  readonly threads: number;
  /** True if members accept only TLS connections. */
  readonly tls: boolean;
  /** Maximum number of open connections of the thread. */
  readonly connections: number;
}
