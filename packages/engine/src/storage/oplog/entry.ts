import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { date, int32, int64, nullValue, string, textOf, Value } from '../../bson/value.ts';
import { timestampAt } from './time.ts';

/** What an entry says of the collection it is about. */
export interface Place {
  readonly ns: Value;
  /** Its unique id; absent where the entry is about a database. */
  readonly ui?: Value;
}

export interface Change {
  readonly op: 'i' | 'u' | 'd' | 'c' | 'n';
  readonly place: Place;
  readonly o: RawDocument;
  readonly o2?: RawDocument;
}

/** A numbered write or a transaction. */
export interface SessionNumber {
  /** `{ id, uid }` */
  readonly lsid: RawDocument;
  readonly txnNumber: bigint;
}

/** The statement of a session that an entry belongs to, so that it can be told apart from a second run of it. */
export interface Origin extends SessionNumber {
  /** Absent for what a transaction did. */
  readonly stmtId?: number;
  /** The position and term of the entry before it in the same transaction. */
  readonly former?: Pick<Moment, 'position' | 'term'>;
}

export interface Moment {
  readonly position: number;
  readonly term: number;
  /** Milliseconds since the epoch, in service time. */
  readonly wall: number;
}

const kinds = { i: string('i'), u: string('u'), d: string('d'), c: string('c'), n: string('n') } as const;
/** The form of entries that has been written since 2017. */
const version = int64(2n);
/** Entries are chained within a transaction only. */
const noFormer = formerValue({ position: 0, term: -1 });

function formerValue({ position, term }: Pick<Moment, 'position' | 'term'>): Value {
  return writeDocument((writer) => {
    writer.field('ts', timestampAt(position));
    writer.field('t', int64(BigInt(term)));
  }).toValue();
}

/** An entry as the oplog keeps it. */
export function encodeEntry(change: Change, moment: Moment, origin: Origin | undefined): RawDocument {
  const { op, place, o, o2 } = change;
  return writeDocument((writer) => {
    if (origin !== undefined) {
      writer.field('lsid', origin.lsid.toValue());
      writer.field('txnNumber', txnNumberValue(origin.txnNumber));
    }
    writer.field('op', kinds[op]);
    writer.field('ns', place.ns);
    if (place.ui !== undefined) writer.field('ui', place.ui);
    writer.field('o', o.toValue());
    if (o2 !== undefined) writer.field('o2', o2.toValue());
    if (origin?.stmtId !== undefined) writer.field('stmtId', int32(origin.stmtId));
    writeMoment(writer, moment);
    if (origin !== undefined)
      writer.field('prevOpTime', origin.former ? formerValue(origin.former) : noFormer);
  });
}

function writeMoment(writer: DocumentWriter, { position, term, wall }: Moment): void {
  writer.field('ts', timestampAt(position));
  writer.field('t', termValue(term));
  writer.field('v', version);
  writer.field('wall', wallValue(wall));
}

/** Entries that follow each other say mostly the same here. */
const termValue = keepingLast((term: number) => int64(BigInt(term)));
const wallValue = keepingLast((ms: number) => date(BigInt(ms)));
const txnNumberValue = keepingLast(int64);

/** The function, but that it answers the same value when it is asked the same again. */
function keepingLast<T>(make: (from: T) => Value): (from: T) => Value {
  let last: { readonly from: T; readonly value: Value } | undefined;
  return (from) => {
    if (last === undefined || last.from !== from) last = { from, value: make(from) };
    return last.value;
  };
}

/** What the first entry of all says. */
export const BEGINNING = 'initiating set';

export function isBeginning(entry: RawDocument): boolean {
  const message = entry.document('o')?.get('msg');
  return message?.type === bsonTypes.string && textOf(message) === BEGINNING;
}

/** A change as one of several in an entry. */
export function encodePart({ op, place, o, o2 }: Change): RawDocument {
  return writeDocument((writer) => {
    writer.field('op', kinds[op]);
    writer.field('ns', place.ns);
    if (place.ui !== undefined) writer.field('ui', place.ui);
    writer.field('o', o.toValue());
    if (o2 !== undefined) writer.field('o2', o2.toValue());
  });
}

/** `{ _id }` of a document. */
export function keyOf(doc: RawDocument): RawDocument {
  const id = doc.get('_id') ?? nullValue;
  return writeDocument((writer) => writer.field('_id', id));
}

/** What `o` is for a document that modifiers have changed. */
export function modification(difference: RawDocument): RawDocument {
  return writeDocument((writer) => {
    writer.field('$v', int32(2));
    writer.field('diff', difference.toValue());
  });
}

/** A unique id of 16 bytes as BSON has it. */
export function uuidValue(uuid: Uint8Array): Value {
  const bytes = new Uint8Array(21);
  bytes[0] = 16;
  bytes[4] = 4;
  bytes.set(uuid, 5);
  return new Value(bsonTypes.binData, bytes, 0, 21);
}
