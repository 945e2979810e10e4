/** Number of items that are sorted or merged before a pause. This takes some milliseconds. */
export const SORTED_AT_ONCE = 8_192;

/** Sorts items. Yields between parts of the work, so that other work can run. */
export function* sortedInTurns<T>(
  items: readonly T[],
  sort: (piece: T[]) => T[],
  isLess: (a: T, b: T) => boolean,
): Generator<undefined, readonly T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += SORTED_AT_ONCE) {
    if (at > 0) yield;
    runs.push(sort(items.slice(at, at + SORTED_AT_ONCE)));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergedInTurns(runs[at] as T[], runs[at + 1] ?? [], isLess));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedInTurns<T>(a: T[], b: T[], isLess: (a: T, b: T) => boolean): Generator<undefined, T[]> {
  if (b.length === 0) return a;
  const all: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    all.push(isLess(b[j] as T, a[i] as T) ? (b[j++] as T) : (a[i++] as T));
    if (all.length % SORTED_AT_ONCE === 0) yield;
  }
  return all.concat(a.slice(i), b.slice(j));
}
