import { bsonTypes } from '../bson/bson-types.ts';
import { entriesOf } from '../bson/raw.ts';
import type { Command } from '../commands/context/command.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import type { Reply } from '../message/reply.ts';
import { examined } from '../statement/checkpoint.ts';
import type { Work } from './observation.ts';

/** As `serverStatus.opcounters` tells them apart. */
export type OperationKind = 'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command';

export type LatencyKind = 'reads' | 'writes' | 'commands';

/** What one member has done since its cluster was opened. Numbers only grow. */
export class MemberCounters {
  /** Inserts count documents, updates and deletes statements, everything else commands. */
  readonly operations = { insert: 0, query: 0, update: 0, delete: 0, getmore: 0, command: 0 };
  /** Sums of times from the arrival of a request to its answer, in microseconds. */
  readonly latency = {
    reads: { ops: 0, micros: 0 },
    writes: { ops: 0, micros: 0 },
    commands: { ops: 0, micros: 0 },
  };
  readonly documents = { returned: 0, inserted: 0, updated: 0, deleted: 0 };
  /** Read from the file, in index keys and documents. */
  readonly examined = { keys: 0, documents: 0 };
  /** Of several statements. */
  readonly transactions = { totalStarted: 0, totalCommitted: 0, totalAborted: 0 };
  /** Statements that ended because their time was up, because they were killed or their caller had gone. */
  interrupted = 0;

  /** `reply` is absent when the command failed. */
  count(command: Command, request: CommandRequest, reply: Reply | undefined, micros: number): void {
    const kind = kinds.get(command.name) ?? 'command';
    this.operations[kind] += amountOf(kind, request);
    const latency = this.latency[latencyKind(command)];
    latency.ops++;
    latency.micros += micros;
    if (reply === undefined) return;
    this.#countDocuments(command.name, kind, reply);
    if (command.name === 'commitTransaction') this.transactions.totalCommitted++;
    if (command.name === 'abortTransaction') this.transactions.totalAborted++;
  }

  /** Takes over what the statement that ends now has read. */
  sawExamined(): void {
    this.examined.keys += examined.keys;
    this.examined.documents += examined.documents;
  }

  #countDocuments(name: string, kind: OperationKind, reply: Reply): void {
    const { documents } = this;
    if (kind === 'insert') documents.inserted += numberOf(reply.n);
    else if (kind === 'delete') documents.deleted += numberOf(reply.n);
    else if (kind === 'update') documents.updated += numberOf(reply.nModified);
    else if (name === 'bulkWrite') {
      documents.inserted += numberOf(reply.nInserted);
      documents.updated += numberOf(reply.nModified);
      documents.deleted += numberOf(reply.nDeleted);
    } else documents.returned += returnedBy(reply);
  }
}

/** The counters of every member of a cluster. */
export class OperationCounters {
  readonly #members = new Map<string, MemberCounters>();

  /** By member, as they are at this moment. */
  all(): Record<string, Work> {
    const members = [...this.#members];
    return Object.fromEntries(
      members.map(([id, { operations, documents, examined, latency }]) => [
        id,
        { operations, documents, examined, latency },
      ]),
    );
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

const kinds: ReadonlyMap<string, OperationKind> = new Map([
  ['find', 'query'],
  ['getMore', 'getmore'],
  ['insert', 'insert'],
  ['update', 'update'],
  ['delete', 'delete'],
]);

const statements: Partial<Record<OperationKind, string>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
};

function amountOf(kind: OperationKind, { body, sequences }: CommandRequest): number {
  const field = statements[kind];
  if (field === undefined) return 1;
  const inSequence = sequences.get(field);
  if (inSequence !== undefined) return inSequence.length;
  const inline = body.get(field);
  return inline?.type === bsonTypes.array ? entriesOf(inline).length : 0;
}

function latencyKind({ writes, readConcern, name }: Command): LatencyKind {
  if (writes) return 'writes';
  return readConcern || name === 'getMore' ? 'reads' : 'commands';
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
