import type { AnyFaultTable } from '@portolan/foundation/faults';
import type { Endpoint } from '../api/endpoint.ts';
import type { InjectFault, Mount, SessionAuthenticator } from '../api/index.ts';
import type { AnyOperation, Method, PathParameter } from '../api/operation.ts';
import type { EventTypes, Subscription } from '../events/index.ts';
import type { Migration, TopicHandler } from '../store/store.ts';
import type { InjectWorkFault, TaskKind, TimetableEntry } from '../tasks/index.ts';
import type { Services } from './services.ts';

export interface Background {
  /** Resolves when the work has loaded its state. Until then, the service is not ready. */
  readonly ready?: Promise<unknown>;
  /** Stops the work. The promise resolves when the work has ended. */
  stop(): Promise<void>;
}

/** Injects declared faults into requests and tasks. The operator declares these faults to test clients. */
export interface FaultInjection {
  readonly request: InjectFault;
  readonly work: InjectWorkFault;
  close(): void;
}

/** The module namespace of a file of operations. Every export is an operation. */
type OperationFile = Readonly<Record<string, AnyOperation<Services>>>;

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Collects the operations of whole files, so that no operation can be forgotten. A file with other exports does not
 * compile. The OpenAPI documents list operations in this order: first by path and method, then extensions in the order
 * of the files.
 */
export function operationsIn(...files: readonly OperationFile[]): readonly AnyOperation<Services>[] {
  return files.flatMap((file) => Object.values(file)).sort(byPath);
}

function byPath(one: AnyOperation, other: AnyOperation): number {
  if (one.extension || other.extension)
    return Number(one.extension ?? false) - Number(other.extension ?? false);
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return methods.indexOf(one.method) - methods.indexOf(other.method);
}

/**
 * A resource family: a folder whose `index.ts` exports this value as `family`. The service discovers folders at start,
 * so that a new family requires no other change.
 */
export interface Family {
  readonly name: string;
  readonly operations: readonly AnyOperation<Services>[];
  /** Path parameters that this family defines, such as `groupId` or `clusterName`. */
  readonly parameters?: Readonly<Record<string, PathParameter>>;
  readonly migrations?: readonly Migration[];
  /** Endpoints besides the operations, without authentication. */
  readonly mounts?: readonly ((services: Services) => Mount)[];
  /** What the OpenAPI documents say about endpoints of the console. */
  readonly endpoints?: readonly Endpoint[];
  // biome-ignore lint/suspicious/noExplicitAny: payloads differ from kind to kind and are checked where a kind is declared
  readonly tasks?: readonly TaskKind<any, Services>[];
  /** Recurring tasks, by service time. */
  readonly timetable?: readonly TimetableEntry[];
  /** Background work that runs as long as the service runs, by machine time. */
  readonly background?: readonly ((services: Services) => Background)[];
  /** Fault injection. Only one family provides it. */
  readonly faultInjection?: (services: Services) => FaultInjection;
  /** Authentication by session cookie. Only one family provides it. */
  readonly sessions?: (services: Services) => SessionAuthenticator;
  readonly eventTypes?: EventTypes;
  /** Handlers of other families' events. They run in the transaction that records the event. */
  readonly subscriptions?: readonly Subscription[];
  /**
   * Handlers of other families' topics, such as `subscribe(clusterChanging, …)`. They run in the transaction that
   * publishes, and roll it back if they throw.
   */
  readonly hooks?: readonly TopicHandler[];
  /** Error codes of this family. General error codes are not repeated. */
  readonly faults?: readonly AnyFaultTable[];
}
