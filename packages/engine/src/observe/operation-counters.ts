import { bsonTypes } from '../bson/bson-types.ts';
import { entriesOf } from '../bson/raw.ts';
import type { CommandMessage } from '../message/command-message.ts';
import type { Reply } from '../message/reply.ts';
import type { Examined } from '../storage/model/running-statement.ts';
import type { MemberWork } from './observation.ts';
import { type OperationKind, operationKinds } from './operation-kinds.ts';

export type LatencyKind = 'reads' | 'writes' | 'commands';

/** The properties of a completed operation that are counted. */
export interface CountedOperation {
  /** The name of the command. */
  readonly name: string;
  readonly kind: OperationKind;
  readonly latency: LatencyKind;
  readonly ends: 'commit' | 'abort' | undefined;
  readonly micros: number;
  /** Milliseconds since the statement started. */
  readonly busy: number;
  /** The reply. Undefined if the operation failed. */
  readonly reply: Reply | undefined;
}

/** The counters of a member since its cluster was opened. They never decrease. */
export class MemberCounters {
  /**
   * The numbers in `opcounters`. Inserts are counted per document, updates and deletes per statement, and all other
   * operations per command.
   */
  readonly operations = { insert: 0, query: 0, update: 0, delete: 0, getmore: 0, command: 0 };
  /** The numbers of calls and failures of each command that was called. */
  readonly commands = new Map<string, { failed: number; total: number }>();
  /** Durations from the arrival of requests to their replies, in microseconds. */
  readonly latency = {
    reads: { ops: 0, micros: 0 },
    writes: { ops: 0, micros: 0 },
    commands: { ops: 0, micros: 0 },
  };
  readonly documents = { returned: 0, inserted: 0, updated: 0, deleted: 0 };
  /** Index keys and documents that were read from the file. */
  readonly examined = { keys: 0, documents: 0 };
  /** Number of statements that sorted in memory or on disk, and number of sorts that spilled to disk. */
  readonly sorts = { statements: 0, spilled: 0 };
  /** Number of multi-document transactions. */
  readonly transactions = { totalStarted: 0, totalCommitted: 0, totalAborted: 0 };
  /** Number of statements that ended by a timeout, a kill or a disconnect. */
  interrupted = 0;
  /** Number of error replies by cause. */
  readonly asserts = { regular: 0, user: 0 };
  /** CPU time in microseconds. */
  readonly processor = { user: 0, kernel: 0 };
  /** Number of searches by search index id. */
  readonly searches: Record<string, { succeeded: number; failed: number; getMores: number }> = {};
  /**
   * Total running time of statements in milliseconds. The CPU time of the thread is divided among its members in
   * proportion to this time.
   */
  busy = 0;

  searched(index: string, how: 'succeeded' | 'failed' | 'getMores'): void {
    this.searches[index] ??= { succeeded: 0, failed: 0, getMores: 0 };
    this.searches[index][how]++;
  }

  count(message: CommandMessage, { name, kind, latency, ends, micros, busy, reply }: CountedOperation): void {
    this.busy += busy;
    this.#countCommand(name, reply === undefined);
    const { counter, statements } = operationKinds[kind];
    this.operations[counter] += statements === undefined ? 1 : entriesIn(statements, message);
    const times = this.latency[latency];
    times.ops++;
    times.micros += micros;
    if (reply === undefined) return;
    this.#countDocuments(kind, reply);
    if (ends === 'commit') this.transactions.totalCommitted++;
    if (ends === 'abort') this.transactions.totalAborted++;
  }

  #countCommand(name: string, failed: boolean): void {
    let counts = this.commands.get(name);
    if (counts === undefined) {
      counts = { failed: 0, total: 0 };
      this.commands.set(name, counts);
    }
    counts.total++;
    if (failed) counts.failed++;
  }

  /** Adds what a completed statement has read. */
  addExamined({ keys, documents, sorted, spilledSorts }: Examined): void {
    this.examined.keys += keys;
    this.examined.documents += documents;
    this.sorts.statements += Number(sorted);
    this.sorts.spilled += spilledSorts;
  }

  #countDocuments(kind: OperationKind, reply: Reply): void {
    const { documents } = this;
    if (kind === 'insert') documents.inserted += numberOf(reply.n);
    else if (kind === 'remove') documents.deleted += numberOf(reply.n);
    else if (kind === 'update') documents.updated += numberOf(reply.nModified);
    else if (kind === 'bulk') {
      documents.inserted += numberOf(reply.nInserted);
      documents.updated += numberOf(reply.nModified);
      documents.deleted += numberOf(reply.nDeleted);
    } else documents.returned += returnedBy(reply);
  }
}

/** The counters of every member of a cluster. */
export class OperationCounters {
  readonly #members = new Map<string, MemberCounters>();
  /** Number of documents that the TTL monitor has deleted, and number of its passes over all collections. */
  readonly expiry = { deletedDocuments: 0, passes: 0 };

  /** Returns the current counters by member. */
  all(): Record<string, Omit<MemberWork, 'queued'>> {
    const members = [...this.#members];
    return Object.fromEntries(
      members.map(([id, counters]) => {
        const { operations, documents, examined, sorts, latency, processor, asserts, interrupted, searches } =
          counters;
        return [
          id,
          { operations, documents, examined, sorts, latency, processor, asserts, interrupted, searches },
        ];
      }),
    );
  }

  members(): Iterable<MemberCounters> {
    return this.#members.values();
  }

  of(memberId: string): MemberCounters {
    let counters = this.#members.get(memberId);
    if (counters === undefined) {
      counters = new MemberCounters();
      this.#members.set(memberId, counters);
    }
    return counters;
  }
}

function entriesIn(field: string, { body, sequences }: CommandMessage): number {
  const inSequence = sequences.get(field);
  if (inSequence !== undefined) return inSequence.length;
  const inline = body.get(field);
  return inline?.type === bsonTypes.array ? entriesOf(inline).length : 0;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function returnedBy({ cursor }: Reply): number {
  if (typeof cursor !== 'object' || cursor === null) return 0;
  const { firstBatch, nextBatch }: { firstBatch?: unknown; nextBatch?: unknown } = cursor;
  const batch = firstBatch ?? nextBatch;
  return Array.isArray(batch) ? batch.length : 0;
}
