import { RawDocument } from '../../bson/raw.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { applyDiff } from '../../storage/oplog/apply-diff.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import { collectionAt, HistoryDiffers, type Operation } from './collections.ts';

/** Replays the entry of an insert, update or delete. */
export function applyToDocument(store: ClusterStore, operation: Operation): void {
  const { op, ns, ui, o, o2 } = operation;
  const collection = collectionAt(store, ns, ui);
  if (op === 'i') {
    if (!collection.insert(idKey(o), o)) throw new HistoryDiffers(`${ns} already has the document`);
    return;
  }
  const record = recordOf(collection, o2 ?? o, op === 'd' ? o : (o2 ?? o));
  if (record === undefined) throw new HistoryDiffers(`${ns} does not have the document`);
  if (op === 'd') collection.remove(record);
  else replace(collection, record, o);
}

function replace(collection: Collection, record: StoredRecord, o: RawDocument): void {
  const difference = o.first()?.name === '$v' ? (o.document('diff') ?? RawDocument.empty) : undefined;
  const after = difference === undefined ? o : applyDiff(record.doc, difference);
  collection.replace(record, after, difference);
}

/**
 * Returns the record that an entry changes. In a time series, `_id` is not unique. Therefore entries of a time series
 * contain the whole document, by which the record is found.
 */
function recordOf(collection: Collection, whole: RawDocument, key: RawDocument): StoredRecord | undefined {
  if (collection.identified) return collection.find(idKey(key));
  const records = collection.scan({ kind: 'natural', reverse: false });
  for (let record = records.next(); record !== undefined; record = records.next()) {
    if (record.doc.equals(whole)) return record;
  }
  return undefined;
}
