import { nextTurn } from './next-turn.ts';

/** Cuts a list into new lists of at most `size` items, in order. An empty list has no batches. */
export function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** Like `inBatches`, with other work of the thread between the batches. */
export async function* batchesInTurns<T>(items: readonly T[], size: number): AsyncGenerator<T[]> {
  let isFirst = true;
  for (const batch of inBatches(items, size)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    yield batch;
  }
}
