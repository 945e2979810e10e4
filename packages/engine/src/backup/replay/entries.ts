import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int64Of } from '../../bson/value.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Replayed } from '../../storage/oplog/images.ts';
import { HistoryDiffers, type Operation, operationOf } from './collections.ts';
import { applyCommand } from './commands.ts';
import { applyToDocument } from './documents.ts';

/** Replays an entry that the oplog already contains. Must be called within `store.write`. */
export function applyEntry(store: ClusterStore, entry: RawDocument, position: number): void {
  const made = entry.get('wall');
  const wall = made === undefined ? 0 : Number(int64Of(made));
  try {
    for (const [step, operation] of operationsIn(entry).entries())
      apply(store, operation, { position, step, wall });
  } finally {
    store.oplog.replaying = undefined;
  }
}

function operationsIn(entry: RawDocument): Operation[] {
  const operation = operationOf(entry);
  const parts = transactionIn(entry);
  return parts === undefined ? [operation] : parts.map(operationOf);
}

/** Returns the operations in the entry of a transaction. */
function transactionIn(entry: RawDocument): RawDocument[] | undefined {
  const o = entry.string('op') === 'c' ? entry.document('o') : undefined;
  return o?.first()?.name === 'applyOps' ? o.array('applyOps')?.map(documentOf) : undefined;
}

/** True if the transaction of the entry continues in the next entry. */
export function continuesInNext(entry: RawDocument): boolean {
  return entry.string('op') === 'c' && entry.document('o')?.bool('partialTxn') === true;
}

function apply(store: ClusterStore, operation: Operation, place: Replayed): void {
  store.oplog.replaying = place;
  if (operation.op === 'n') return;
  if (operation.op === 'c') applyCommand(store, operation);
  else if (['i', 'u', 'd'].includes(operation.op)) applyToDocument(store, operation);
  else throw new HistoryDiffers(`unknown kind of entry ${operation.op}`);
}
