import { bsonTypes } from '../../bson/bson-types.ts';
import { DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { string, trueValue } from '../../bson/value.ts';
import { type Change, encodePart, type SessionNumber } from './entry.ts';
import type { RecentEntry } from './recent.ts';

/** The changes of one transaction, collected until they are appended to the oplog. */
export interface Gathering {
  readonly session: SessionNumber;
  readonly parts: GatheredChange[];
}

export interface GatheredChange {
  readonly change: Change;
  /** The pre-image of the document, if the collection stores pre-images. */
  readonly image: { readonly uuid: Uint8Array; readonly doc: RawDocument } | undefined;
  readonly database: string;
  /** The collection; undefined if the change concerns more than the documents of one collection. */
  readonly collection: string | undefined;
}

/** Maximum number of traces of a transaction. */
const MAX_TRACES = 64;

/**
 * Returns one trace for all changes of the same kind in the same collection. The changes become visible with the last
 * entry of the transaction, at `position`.
 */
export function tracesOf(parts: readonly GatheredChange[], position: number): RecentEntry[] {
  const traces = new Map<string, RecentEntry>();
  for (const { change, database, collection } of parts) {
    const op = change.op;
    const key = `${op} ${database}.${collection ?? ''}`;
    if (!traces.has(key)) traces.set(key, { position, op, database, collection });
    if (traces.size > MAX_TRACES) return [{ position, op: 'c', database: '', collection: undefined }];
  }
  return [...traces.values()];
}

/**
 * Maximum size of the changes in one entry. It leaves room for the other fields, because the limit for a whole entry is
 * 16 MiB.
 */
const MAX_BYTES = 16_000_000;
const namespace = { ns: string('admin.$cmd') };

/** One oplog entry of a transaction and the changes in it. */
export interface Batch {
  readonly change: Change;
  readonly parts: readonly GatheredChange[];
}

/** Distributes the changes of a transaction over entries. All entries except the last are marked `partialTxn`. */
export function batchesOf(parts: readonly GatheredChange[]): Batch[] {
  const groups: Array<Array<{ part: GatheredChange; bytes: RawDocument }>> = [];
  let size = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const bytes = encodePart(part.change);
    if (size + bytes.length > MAX_BYTES) {
      groups.push([]);
      size = 0;
    }
    size += bytes.length;
    groups.at(-1)?.push({ part, bytes });
  }
  return groups.map((group, i) => ({
    change: {
      op: 'c',
      namespace,
      o: operations(
        group.map(({ bytes }) => bytes),
        i < groups.length - 1,
      ),
    },
    parts: group.map(({ part }) => part),
  }));
}

function operations(parts: readonly RawDocument[], partial: boolean): RawDocument {
  const list = new DocumentWriter();
  const start = list.begin();
  parts.forEach((part, i) => {
    list.field(String(i), part.toValue());
  });
  list.end(start);
  const bytes = list.finish();
  return writeDocument((writer) => {
    writer.head(bsonTypes.array, 'applyOps');
    writer.span(bytes);
    if (partial) writer.field('partialTxn', trueValue);
  });
}
