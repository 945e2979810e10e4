import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { date, int32, int64, nullValue, string, textOf, Value } from '../../bson/value.ts';
import { timestampAt } from './time.ts';

/** The namespace fields of an entry. */
export interface EntryNamespace {
  readonly ns: Value;
  /** The UUID of the collection; absent if the entry concerns a database. */
  readonly ui?: Value;
}

export interface Change {
  readonly op: 'i' | 'u' | 'd' | 'c' | 'n';
  readonly namespace: EntryNamespace;
  readonly o: RawDocument;
  readonly o2?: RawDocument;
}

/** Identifies a retryable write or a transaction. */
export interface SessionNumber {
  /** The session in the form `{ id, uid }`. */
  readonly lsid: RawDocument;
  readonly txnNumber: bigint;
}

/** Identifies the statement that caused an entry, so that a retry of the statement is recognized. */
export interface Origin extends SessionNumber {
  /** The id of the statement; absent in entries of transactions. */
  readonly stmtId?: number;
  /** The optime of the previous entry of the same transaction. */
  readonly previous?: Pick<Moment, 'position' | 'term'>;
}

export interface Moment {
  readonly position: number;
  readonly term: number;
  /** Service time, in milliseconds since the epoch. */
  readonly wall: number;
}

const kinds = { i: string('i'), u: string('u'), d: string('d'), c: string('c'), n: string('n') } as const;
/** The version of the entry format, which has been 2 since 2017. */
const version = int64(2n);
/** `prevOpTime` of an entry without a predecessor. Only the entries of one transaction are chained. */
const nullOpTime = opTimeValue({ position: 0, term: -1 });

function opTimeValue({ position, term }: Pick<Moment, 'position' | 'term'>): Value {
  return writeDocument((writer) => {
    writer.field('ts', timestampAt(position));
    writer.field('t', int64(BigInt(term)));
  }).toValue();
}

/** Encodes an entry in its stored form. */
export function encodeEntry(change: Change, moment: Moment, origin: Origin | undefined): RawDocument {
  const { op, namespace, o, o2 } = change;
  return writeDocument((writer) => {
    if (origin !== undefined) {
      writer.field('lsid', origin.lsid.toValue());
      writer.field('txnNumber', txnNumberValue(origin.txnNumber));
    }
    writer.field('op', kinds[op]);
    writer.field('ns', namespace.ns);
    if (namespace.ui !== undefined) writer.field('ui', namespace.ui);
    writer.field('o', o.toValue());
    if (o2 !== undefined) writer.field('o2', o2.toValue());
    if (origin?.stmtId !== undefined) writer.field('stmtId', int32(origin.stmtId));
    writeMoment(writer, moment);
    if (origin !== undefined)
      writer.field('prevOpTime', origin.previous ? opTimeValue(origin.previous) : nullOpTime);
  });
}

function writeMoment(writer: DocumentWriter, { position, term, wall }: Moment): void {
  writer.field('ts', timestampAt(position));
  writer.field('t', termValue(term));
  writer.field('v', version);
  writer.field('wall', wallValue(wall));
}

/** Memoized, because consecutive entries mostly have the same values. */
const termValue = memoizeLast((term: number) => int64(BigInt(term)));
const wallValue = memoizeLast((ms: number) => date(BigInt(ms)));
const txnNumberValue = memoizeLast(int64);

/** Wraps a function so that it caches the result for its last argument. */
function memoizeLast<T>(make: (from: T) => Value): (from: T) => Value {
  let last: { readonly from: T; readonly value: Value } | undefined;
  return (from) => {
    if (last === undefined || last.from !== from) last = { from, value: make(from) };
    return last.value;
  };
}

/** The message of the first entry of an oplog. */
export const BEGINNING = 'initiating set';

export function isBeginning(entry: RawDocument): boolean {
  const message = entry.document('o')?.get('msg');
  return message?.type === bsonTypes.string && textOf(message) === BEGINNING;
}

/** Encodes a change as one operation of an `applyOps` entry. */
export function encodePart({ op, namespace, o, o2 }: Change): RawDocument {
  return writeDocument((writer) => {
    writer.field('op', kinds[op]);
    writer.field('ns', namespace.ns);
    if (namespace.ui !== undefined) writer.field('ui', namespace.ui);
    writer.field('o', o.toValue());
    if (o2 !== undefined) writer.field('o2', o2.toValue());
  });
}

/** Returns `{ _id }` of a document. */
export function keyOf(doc: RawDocument): RawDocument {
  const id = doc.get('_id') ?? nullValue;
  return writeDocument((writer) => writer.field('_id', id));
}

/** Returns the field `o` of an update that is recorded as a difference. */
export function modification(difference: RawDocument): RawDocument {
  return writeDocument((writer) => {
    writer.field('$v', int32(2));
    writer.field('diff', difference.toValue());
  });
}

/** Encodes the 16 bytes of a UUID as BSON. */
export function uuidValue(uuid: Uint8Array): Value {
  const bytes = new Uint8Array(21);
  bytes[0] = 16;
  bytes[4] = 4;
  bytes.set(uuid, 5);
  return new Value(bsonTypes.binData, bytes, 0, 21);
}
