/**
 * Returns the index of the first wanted entry, or the number of entries if none is wanted. All entries after a wanted
 * entry must be wanted too. Calls `isWanted` O(log n) times.
 */
export function firstIndex<T>(entries: ArrayLike<T>, isWanted: (entry: T) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isWanted(entries[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
