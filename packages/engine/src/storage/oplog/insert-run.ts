import { readInt32 } from '../../bson/bytes.ts';
import { DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import { toBigInt, toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { date, int32, int64, int64Of, type Value } from '../../bson/value.ts';
import { encodeEntry, keyOf, type Moment, type Origin, type Place } from './entry.ts';

/*
 * Inserts into one collection that follow each other within a millisecond are one row of the oplog: what their entries
 * say alike stands there once, before their documents. Readers get the entries, byte by byte as if each had its row.
 *
 * The row begins with its length, as a document does, and a byte that is no type of BSON; then how many entries there
 * are, how many bytes they have together, what they say alike, and the documents.
 */

/** In the place of the type of a document's first field. */
const MARK = 0x80;
/** What tells of a row all that it is counted by. */
export const HEAD_BYTES = 13;
/** Half an empty document, an int32 and the name of the field: what a key takes beside its value. */
const KEY_BYTES = 10;

/** What the entries say alike; `moment` and the statement of `origin` are those of the first. */
export interface RunHead {
  readonly place: Place;
  readonly origin: Origin | undefined;
  readonly moment: Moment;
}

/** Whether a row is a run; `row` needs no more than its first bytes. */
export function isRun({ bytes, offset }: Pick<RawDocument, 'bytes' | 'offset'>): boolean {
  return bytes[offset + 4] === MARK;
}

/** How many entries a run has, and how many bytes they have together. */
export function sizeOfRun({ bytes, offset }: Pick<RawDocument, 'bytes' | 'offset'>): {
  entries: number;
  bytes: number;
} {
  return { entries: readInt32(bytes, offset + 5), bytes: readInt32(bytes, offset + 9) };
}

/** Inserts that are not in the file yet. */
export class PendingRun {
  readonly #head: RunHead;
  readonly #docs: RawDocument[] = [];
  readonly #firstEntry: RawDocument;
  /** What an entry has beside its document and the value of its key. */
  readonly #beside: number;
  #stored = 0;
  /** Of all entries together. */
  bytes = 0;
  /** Position of the newest entry. */
  last: number;

  constructor(head: RunHead, doc: RawDocument) {
    this.#head = head;
    this.last = head.moment.position - 1;
    this.#firstEntry = entryOf(head, 0, doc);
    this.#beside = this.#firstEntry.length - doc.length - keyBytes(doc);
    this.add(doc);
  }

  /** Whether an insert may go on with it. `most` is how many bytes of documents a row may hold. */
  takes({ place, origin, moment }: RunHead, doc: RawDocument, most: number): boolean {
    const { place: own, origin: first, moment: begun } = this.#head;
    return (
      place === own &&
      moment.position === this.last + 1 &&
      moment.wall === begun.wall &&
      moment.term === begun.term &&
      this.#stored + doc.length <= most &&
      isNext(first, origin, this.#docs.length)
    );
  }

  /** Answers how many bytes its entry has. */
  add(doc: RawDocument): number {
    const bytes = this.#beside + doc.length + keyBytes(doc);
    this.#docs.push(doc);
    this.#stored += doc.length;
    this.bytes += bytes;
    this.last++;
    return bytes;
  }

  /** The row, whose id is the position of its newest entry. */
  encode(): Uint8Array {
    if (this.#docs.length === 1) return this.#firstEntry.toBytes();
    const writer = new DocumentWriter();
    const start = writer.begin();
    writer.byte(MARK);
    writer.int32(this.#docs.length);
    writer.int32(this.bytes);
    const alike = encodeHead(this.#head);
    writer.span(alike.bytes, alike.offset, alike.offset + alike.length);
    for (const { bytes, offset, length } of this.#docs) writer.span(bytes, offset, offset + length);
    writer.patchInt32(start, writer.length - start);
    return writer.finish();
  }
}

/** Whether the statement is `steps` behind the first. */
function isNext(first: Origin | undefined, origin: Origin | undefined, steps: number): boolean {
  if (first === undefined || origin === undefined) return first === origin;
  const { lsid, txnNumber, stmtId } = first;
  if (lsid !== origin.lsid || txnNumber !== origin.txnNumber) return false;
  return stmtId !== undefined && stmtId + steps === origin.stmtId;
}

/** The statement that is so many behind another of the same write. */
export function originAt(origin: Origin | undefined, step: number): Origin | undefined {
  if (origin?.stmtId === undefined || step === 0) return origin;
  return { ...origin, stmtId: origin.stmtId + step };
}

function keyBytes(doc: RawDocument): number {
  const id = doc.get('_id');
  return KEY_BYTES + (id === undefined ? 0 : id.end - id.start);
}

function entryOf({ place, origin, moment }: RunHead, step: number, doc: RawDocument): RawDocument {
  const { position, term, wall } = moment;
  const change = { op: 'i', place, o: doc, o2: keyOf(doc) } as const;
  return encodeEntry(change, { position: position + step, term, wall }, originAt(origin, step));
}

function encodeHead({ place, origin, moment }: RunHead): RawDocument {
  return writeDocument((writer) => {
    writer.field('ns', place.ns);
    if (place.ui !== undefined) writer.field('ui', place.ui);
    if (origin !== undefined) {
      writer.field('lsid', origin.lsid.toValue());
      writer.field('txnNumber', int64(origin.txnNumber));
      if (origin.stmtId !== undefined) writer.field('stmtId', int32(origin.stmtId));
    }
    writer.field('t', int64(BigInt(moment.term)));
    writer.field('wall', date(BigInt(moment.wall)));
  });
}

function decodeHead(head: RawDocument, position: number): RunHead {
  const at = (name: string) => head.get(name) as Value;
  const ui = head.get('ui');
  const lsid = head.document('lsid');
  const stmtId = head.int('stmtId');
  const origin = lsid && {
    lsid,
    txnNumber: toBigInt(at('txnNumber')),
    ...(stmtId === undefined ? {} : { stmtId }),
  };
  return {
    place: ui === undefined ? { ns: at('ns') } : { ns: at('ns'), ui },
    origin,
    moment: { position, term: toNumber(at('t')), wall: Number(int64Of(at('wall'))) },
  };
}

/** A run as it was read. */
export class StoredRun {
  readonly first: number;
  readonly last: number;
  readonly #head: RunHead;
  readonly #docs: readonly RawDocument[];

  /** `last` is the id of its row. */
  constructor(row: RawDocument, last: number) {
    const { entries } = sizeOfRun(row);
    this.last = last;
    this.first = last - entries + 1;
    const head = new RawDocument(row.bytes, row.offset + HEAD_BYTES);
    this.#head = decodeHead(head, this.first);
    this.#docs = documentsFrom(row.bytes, head.offset + head.length, entries);
  }

  /** The entry at a position that it has. */
  entryAt(position: number): RawDocument {
    const step = position - this.first;
    return entryOf(this.#head, step, this.#docs[step] as RawDocument);
  }
}

function documentsFrom(bytes: Uint8Array, start: number, count: number): RawDocument[] {
  let at = start;
  return Array.from({ length: count }, () => {
    const doc = new RawDocument(bytes, at);
    at += doc.length;
    return doc;
  });
}
