import type { ReadTx, Store, Tx } from './store.ts';

/** Number of rows that one transaction deletes. Deleting them takes about 7 ms of CPU time. */
export const BATCH = 500;

/** Deletes the rows that a query finds, a batch in each transaction. `find` returns at most `most` rows. */
export async function deleteInBatches<Row>(
  store: Pick<Store, 'read' | 'write'>,
  signal: AbortSignal,
  find: (tx: ReadTx, most: number) => Promise<readonly Row[]>,
  remove: (tx: Tx, rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  let gone = BATCH;
  while (gone === BATCH) {
    signal.throwIfAborted();
    // Most queries find nothing, so the function reads before it starts a write transaction.
    const found = await store.read((tx) => find(tx, BATCH));
    gone = found.length;
    if (gone > 0) await store.write((tx) => remove(tx, found));
  }
}
