import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, RawDocument } from '../../../bson/raw.ts';
import { boolOf, string, textOf, type Value } from '../../../bson/value.ts';
import type { ChangePlace } from '../../../storage/oplog/images.ts';
import { positionOf } from '../../../storage/oplog/time.ts';

/** One change in an oplog entry. The entry of a transaction contains several changes. */
export interface LoggedChange {
  /** The index of this change among the changes of its transaction. */
  readonly step: number;
  readonly kind: string;
  readonly ns: string;
  readonly uuid: Value | undefined;
  readonly o: RawDocument;
  readonly o2: RawDocument | undefined;
  /** The position under which the pre-image is stored. */
  readonly image: ChangePlace;
}

/** Returns the oplog entry at a position. */
export type EntrySource = (position: number) => RawDocument | undefined;

/**
 * Returns the changes that an entry makes visible. The changes of a transaction become visible with the last
 * entry of the transaction.
 */
export function changesOf(entry: RawDocument, position: number, entryAt: EntrySource): LoggedChange[] {
  const batch = batchOf(entry);
  if (batch === undefined) return [operationOf(entry, 0, { position, step: 0 })];
  if (isPartial(entry)) return [];
  const batches = [{ position, batch }];
  let former = previousOf(entry);
  while (former > 0) {
    const earlier = entryAt(former);
    const part = earlier && batchOf(earlier);
    if (earlier === undefined || part === undefined) break;
    batches.unshift({ position: former, batch: part });
    former = previousOf(earlier);
  }
  const all = batches.flatMap(({ position: at, batch: changes }) =>
    changes.map((change, step) => ({ change, image: { position: at, step } })),
  );
  return all.map(({ change, image }, step) => operationOf(change, step, image));
}

function operationOf(change: RawDocument, step: number, image: ChangePlace): LoggedChange {
  const o = change.get('o');
  const o2 = change.get('o2');
  return {
    step,
    kind: textOf(change.get('op') ?? string('')),
    ns: textOf(change.get('ns') ?? string('')),
    uuid: change.get('ui'),
    o: o === undefined ? RawDocument.empty : documentOf(o),
    o2: o2 === undefined ? undefined : documentOf(o2),
    image,
  };
}

/** Returns the changes in one of the entries of a transaction. */
function batchOf(entry: RawDocument): RawDocument[] | undefined {
  const o = entry.get('o');
  const first = o === undefined ? undefined : documentOf(o).first();
  if (first?.name !== 'applyOps' || first.type !== bsonTypes.array) return undefined;
  return [...documentOf(first)].map(documentOf);
}

function isPartial(entry: RawDocument): boolean {
  const partial = entry.document('o')?.get('partialTxn');
  return partial?.type === bsonTypes.bool && boolOf(partial);
}

function previousOf(entry: RawDocument): number {
  const time = entry.document('prevOpTime')?.get('ts');
  return time === undefined ? 0 : positionOf(time);
}
