import type { MessagePort } from 'node:worker_threads';
import type { ClockSetting } from '@portolan/foundation/clock';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { ObservedMessage } from '../observe/observation.ts';
import type { LogMessage } from '../worker/thread-log.ts';
import type { ClusterView } from './view.ts';

/** Calls of the engine host to a connection thread. The reply to each is an `answer` with its `id`. */
export type ThreadCall =
  /** Adds or updates a cluster; closes connections that it no longer allows. */
  | { readonly kind: 'configure'; readonly view: ClusterView }
  | ({ readonly kind: 'listen'; readonly clusterId: string } & Listener)
  /** The answer comes when drivers have had time to leave these members. */
  | { readonly kind: 'drain'; readonly clusterId: string; readonly memberIds: readonly string[] }
  | { readonly kind: 'unlisten'; readonly clusterId: string; readonly memberId: string }
  /** Adds a query worker and the port that receives this thread's requests. */
  | { readonly kind: 'worker'; readonly workerId: number; readonly port: MessagePort }
  /** Sets the worker that runs the cluster's commands; without one they wait. */
  | { readonly kind: 'route'; readonly clusterId: string; readonly workerId?: number }
  /** Closes every port and connection of the cluster. */
  | { readonly kind: 'forget'; readonly clusterId: string }
  | { readonly kind: 'clock'; readonly setting: ClockSetting }
  /** Reports the traffic of all ports. */
  | { readonly kind: 'report' }
  /** Sets the certificate of later TLS connections. */
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
  /** `code` is a system error: `EADDRINUSE`, `EACCES`. */
  | { readonly kind: 'answer'; readonly id: number; readonly error?: { message: string; code?: string } }
  | LogMessage
  | ObservedMessage;

/** Start parameters of the thread: connection ids of the threads interleave. */
export interface ThreadData {
  readonly index: number;
  readonly threads: number;
  /** Members accept TLS only. */
  readonly tls: boolean;
  /** Maximum number of open connections of the thread. */
  readonly connections: number;
}
