import { RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { uuidValue } from '../../storage/oplog/entry.ts';

/** Thrown if an oplog entry does not fit the data that the earlier entries produced. */
export class HistoryDiffers extends Error {
  override readonly name = 'HistoryDiffers';
}

/** The change in an oplog entry, or one of the changes in the entry of a transaction. */
export interface Operation {
  readonly op: string;
  readonly ns: string;
  readonly ui: Value | undefined;
  readonly o: RawDocument;
  readonly o2: RawDocument | undefined;
}

export function operationOf(entry: RawDocument): Operation {
  return {
    op: entry.string('op') ?? '',
    ns: entry.string('ns') ?? '',
    ui: entry.get('ui'),
    o: entry.document('o') ?? RawDocument.empty,
    o2: entry.document('o2'),
  };
}

/** Splits a namespace into the names of the database and the collection. */
export function partsOf(ns: string): readonly [database: string, name: string] {
  const dot = ns.indexOf('.');
  return [ns.slice(0, dot), ns.slice(dot + 1)];
}

/**
 * Returns the collection with this name. Throws `HistoryDiffers` if it is missing or has another UUID than in the
 * entry.
 */
export function collectionAt(store: ClusterStore, ns: string, ui: Value | undefined): Collection {
  const collection = store.collection(...partsOf(ns));
  if (collection === undefined) throw new HistoryDiffers(`there is no collection ${ns}`);
  if (ui !== undefined && !uuidValue(collection.uuid).identical(ui))
    throw new HistoryDiffers(`${ns} has another UUID than its entry`);
  return collection;
}

/** Returns the collection that the first field of a command names. */
export function subjectOf(store: ClusterStore, { ns, ui, o }: Operation): Collection {
  const [database] = partsOf(ns);
  const name = o.first();
  return collectionAt(store, `${database}.${name === undefined ? '' : textOf(name)}`, ui);
}
