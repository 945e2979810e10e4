import { readInt32 } from '../../bson/bytes.ts';
import { DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import { toBigInt, toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { date, int32, int64, int64Of, textOf, type Value } from '../../bson/value.ts';
import { type EntryNamespace, encodeEntry, keyOf, type Moment, type Origin } from './entry.ts';

/*
 * Consecutive inserts into one collection within one millisecond are stored in one row of the oplog, as a run: it
 * contains the common fields of the entries once, followed by the documents. Readers get the same bytes as if each
 * entry had a row of its own.
 *
 * Like a document, the row begins with its length. A byte that is not a BSON type follows, then the number of entries,
 * their total size, the common fields and the documents.
 */

/** Marks a run, in place of the type of a document's first field. */
const MARK = 0x80;
/** The length of the head of a run: the length of the row, the mark, the number of entries and their total size. */
export const HEAD_BYTES = 13;
/** The size of `{ _id }` without the value: an empty document, a type byte and the name. */
const KEY_BYTES = 10;

/** The common fields of the entries. `moment` and the statement in `origin` are those of the first entry. */
export interface RunHead {
  readonly namespace: EntryNamespace;
  readonly origin: Origin | undefined;
  readonly moment: Moment;
}

/** True if a row is a run. The row may be truncated after its first bytes. */
export function isRun({ bytes, offset }: Pick<RawDocument, 'bytes' | 'offset'>): boolean {
  return bytes[offset + 4] === MARK;
}

/** Returns the number of entries in a run and their total size. */
export function sizeOfRun({ bytes, offset }: Pick<RawDocument, 'bytes' | 'offset'>): {
  entries: number;
  bytes: number;
} {
  return { entries: readInt32(bytes, offset + 5), bytes: readInt32(bytes, offset + 9) };
}

/** A run of inserts that is not yet written to the file. */
export class PendingRun {
  readonly #head: RunHead;
  readonly #docs: RawDocument[] = [];
  readonly #firstEntry: RawDocument;
  /** The size of an entry without its document and without the value of its `_id`. */
  readonly #overhead: number;
  #stored = 0;
  /** The total size of the entries. */
  bytes = 0;
  /** The position of the newest entry. */
  last: number;

  constructor(head: RunHead, doc: RawDocument) {
    this.#head = head;
    this.last = head.moment.position - 1;
    this.#firstEntry = entryOf(head, 0, doc);
    this.#overhead = this.#firstEntry.length - doc.length - keyBytes(doc);
    this.add(doc);
  }

  /** True if the insert can be added to the run. `most` limits the total size of the documents in a row. */
  accepts({ namespace, origin, moment }: RunHead, doc: RawDocument, most: number): boolean {
    const { namespace: own, origin: first, moment: begun } = this.#head;
    return (
      namespace === own &&
      moment.position === this.last + 1 &&
      moment.wall === begun.wall &&
      moment.term === begun.term &&
      this.#stored + doc.length <= most &&
      isNext(first, origin, this.#docs.length)
    );
  }

  /** Adds an insert. Returns the size of its entry. */
  add(doc: RawDocument): number {
    const bytes = this.#overhead + doc.length + keyBytes(doc);
    this.#docs.push(doc);
    this.#stored += doc.length;
    this.bytes += bytes;
    this.last++;
    return bytes;
  }

  /** Encodes the row. The caller stores it under the position of its newest entry. */
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

/**
 * True if `origin` is the statement that comes `steps` statements after `first` in the same write. Also true
 * if both are undefined.
 */
function isNext(first: Origin | undefined, origin: Origin | undefined, steps: number): boolean {
  if (first === undefined || origin === undefined) return first === origin;
  const { lsid, txnNumber, stmtId } = first;
  if (lsid !== origin.lsid || txnNumber !== origin.txnNumber) return false;
  return stmtId !== undefined && stmtId + steps === origin.stmtId;
}

/** Returns the statement that comes `step` statements after another statement of the same write. */
export function originAt(origin: Origin | undefined, step: number): Origin | undefined {
  if (origin?.stmtId === undefined || step === 0) return origin;
  return { ...origin, stmtId: origin.stmtId + step };
}

function keyBytes(doc: RawDocument): number {
  const id = doc.get('_id');
  return KEY_BYTES + (id === undefined ? 0 : id.end - id.start);
}

function entryOf({ namespace, origin, moment }: RunHead, step: number, doc: RawDocument): RawDocument {
  const { position, term, wall } = moment;
  const change = { op: 'i', namespace, o: doc, o2: keyOf(doc) } as const;
  return encodeEntry(change, { position: position + step, term, wall }, originAt(origin, step));
}

function encodeHead({ namespace, origin, moment }: RunHead): RawDocument {
  return writeDocument((writer) => {
    writer.field('ns', namespace.ns);
    if (namespace.ui !== undefined) writer.field('ui', namespace.ui);
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
    namespace: ui === undefined ? { ns: at('ns') } : { ns: at('ns'), ui },
    origin,
    moment: { position, term: toNumber(at('t')), wall: Number(int64Of(at('wall'))) },
  };
}

/** A run that was read from the file. */
export class StoredRun {
  readonly first: number;
  readonly last: number;
  readonly #head: RunHead;
  readonly #docs: readonly RawDocument[];

  /** `last` is the id of the row. */
  constructor(row: RawDocument, last: number) {
    const { entries } = sizeOfRun(row);
    this.last = last;
    this.first = last - entries + 1;
    const head = new RawDocument(row.bytes, row.offset + HEAD_BYTES);
    this.#head = decodeHead(head, this.first);
    this.#docs = documentsFrom(row.bytes, head.offset + head.length, entries);
  }

  get namespace(): string {
    return textOf(this.#head.namespace.ns);
  }

  /** Returns the entry at a position within the run. */
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
