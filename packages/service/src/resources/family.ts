import type { FaultRule, FaultTable } from '@portolan/foundation/faults';
import type { InjectFault, Mount } from '../api/index.ts';
import type { AnyOperation, Method, PathParameter } from '../api/operation.ts';
import type { EventTypes, Subscription } from '../events/index.ts';
import type { Migration, TopicHandler } from '../store/store.ts';
import type { InjectWorkFault, TaskKind, TimetableEntry } from '../tasks/index.ts';
import type { Services } from './services.ts';

export interface Background {
  /** Resolves when it knows what callers may rely on; the service waits for that before it is ready. */
  readonly ready?: Promise<unknown>;
  /** Resolves when it has come to rest. */
  stop(): Promise<void>;
}

/** What stands in the way of requests and of work, because the operator wants it so. */
export interface Interference {
  readonly request: InjectFault;
  readonly work: InjectWorkFault;
  close(): void;
}

/** A file of operations, imported as a whole: whatever it exports is one. */
type OperationFile = Readonly<Record<string, AnyOperation<Services>>>;

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The operations of whole files, so that none can be left out; a file that exports anything else does not compile.
 * Documents show them in this order: by path and method, then extensions as the files have them.
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
 * A resource family: one folder here, whose `index.ts` exports this value as `family`. The folders are found by
 * listing this directory at start, so that adding a family means adding a folder and nothing else.
 */
export interface Family {
  readonly name: string;
  readonly operations: readonly AnyOperation<Services>[];
  /** Names in paths that this family gives a meaning: `groupId`, `clusterName`. */
  readonly parameters?: Readonly<Record<string, PathParameter>>;
  readonly migrations?: readonly Migration[];
  /** What is reached beside the operations, without credentials. */
  readonly mounts?: readonly ((services: Services) => Mount)[];
  // biome-ignore lint/suspicious/noExplicitAny: payloads differ from kind to kind and are checked where a kind is declared
  readonly tasks?: readonly TaskKind<any, Services>[];
  /** Tasks that are made again and again, by service time. */
  readonly timetable?: readonly TimetableEntry[];
  /** What runs beside the requests as long as the service does, by the machine's clock. */
  readonly background?: readonly ((services: Services) => Background)[];
  /** One family has it. */
  readonly interference?: (services: Services) => Interference;
  readonly eventTypes?: EventTypes;
  /** What happens, in the same transaction, when an event of another family is recorded. */
  readonly subscriptions?: readonly Subscription[];
  /**
   * How it takes part in what another family does, in the same transaction: `subscribe(clusterChanging, …)`. What it
   * throws undoes the transaction.
   */
  readonly hooks?: readonly TopicHandler[];
  /** Codes that this family answers, beside the general ones. */
  readonly faults?: readonly FaultTable<Record<string, FaultRule>>[];
}
