import type { MessagePort } from 'node:worker_threads';
import type { ClockSetting } from '@portolan/foundation/clock';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import type { ObservedMessage } from '../observe/observation.ts';
import type { LogMessage } from '../worker/thread-log.ts';
import type { ClusterView } from './view.ts';

/** What the engine host says to a connection thread. Each is answered by a `ThreadAnswer` with its `id`. */
export type ThreadCall =
  /** Makes the cluster known, or replaces what is known of it; drops connections that it no longer allows. */
  | { readonly kind: 'configure'; readonly view: ClusterView }
  | ({ readonly kind: 'listen'; readonly clusterId: string } & Listener)
  /** Answered when drivers have had time to turn away from these members. */
  | { readonly kind: 'drain'; readonly clusterId: string; readonly memberIds: readonly string[] }
  | { readonly kind: 'unlisten'; readonly clusterId: string; readonly memberId: string }
  /** A query worker, and the port on which it takes this thread's requests. */
  | { readonly kind: 'worker'; readonly workerId: number; readonly port: MessagePort }
  /** Which worker runs the cluster's commands; without one they wait. */
  | { readonly kind: 'route'; readonly clusterId: string; readonly workerId?: number }
  /** Closes every port and connection of the cluster. */
  | { readonly kind: 'forget'; readonly clusterId: string }
  | { readonly kind: 'clock'; readonly setting: ClockSetting }
  /** Tells what the ports have seen so far. */
  | { readonly kind: 'tell' }
  /** For connections from here on, where members speak TLS. */
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
  /** `code` is that of the system: `EADDRINUSE`, `EACCES`. */
  | { readonly kind: 'answer'; readonly id: number; readonly error?: { message: string; code?: string } }
  | LogMessage
  | ObservedMessage;

/** Set when the thread is made: connection ids of the threads interleave. */
export interface ThreadData {
  readonly index: number;
  readonly threads: number;
  /** Members speak TLS alone. */
  readonly tls: boolean;
  /** Connections that the thread may have open. */
  readonly connections: number;
}
