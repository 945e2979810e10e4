/** Cuts a list into new lists of at most `size` items, in order. An empty list has no batches. */
export function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
