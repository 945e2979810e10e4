import type { Searching } from './searching.ts';
import type { Spec } from './spec.ts';

export interface Fuzzy {
  readonly maxEdits: number;
  readonly prefixLength: number;
  readonly maxExpansions: number;
}

export function readFuzzy(spec: Spec): Fuzzy | undefined {
  const fuzzy = spec.document('fuzzy');
  if (fuzzy === undefined) return undefined;
  const read = {
    maxEdits: fuzzy.int('maxEdits', { min: 1, max: 2 }) ?? 2,
    prefixLength: fuzzy.int('prefixLength', { min: 0 }) ?? 0,
    maxExpansions: fuzzy.int('maxExpansions', { min: 1, max: 1000 }) ?? 50,
  };
  fuzzy.finish();
  return read;
}

export interface Expanded {
  readonly term: string;
  /** A factor for the score, as in Lucene. It is higher if fewer characters differ from the searched term. */
  readonly boost: number;
}

/** Returns the closest terms of a field within the maximum edit distance. */
export function expandFuzzy(term: string, field: string, fuzzy: Fuzzy, search: Searching): Expanded[] {
  const wanted = [...term];
  const prefix = wanted.slice(0, fuzzy.prefixLength).join('');
  const found = new Map<string, number>();
  const high = prefix === '' ? undefined : `${prefix}\u{10ffff}`;
  for (const segment of search.segments) {
    for (const other of segment.terms(field, prefix, high)) {
      search.spend(1);
      if (found.has(other) || Math.abs(other.length - term.length) > 2 * fuzzy.maxEdits) continue;
      search.spend(term.length * (2 * fuzzy.maxEdits + 1));
      const edits = distance(wanted, [...other], fuzzy.maxEdits);
      if (edits <= fuzzy.maxEdits) found.set(other, edits);
    }
  }
  return [...found]
    .sort(([a, x], [b, y]) => {
      search.check();
      return x - y || (a < b ? -1 : 1);
    })
    .slice(0, fuzzy.maxExpansions)
    .map(([other, edits]) => ({
      term: other,
      boost: edits === 0 ? 1 : 1 - edits / Math.min(wanted.length, [...other].length),
    }))
    .filter(({ boost }) => boost > 0);
}

/**
 * Returns the number of insertions, deletions, replacements and transpositions between two terms. Results above `most`
 * are not exact. Only cells of the matrix near its diagonal can lead to at most `most` edits. Therefore the time is
 * proportional to the length of one term, and not to the product of both lengths.
 */
export function distance(a: readonly string[], b: readonly string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const [from, to] = [Math.max(1, i - most), Math.min(b.length, i + most)];
    const next: number[] = [];
    next[from - 1] = from === 1 ? i : most + 1;
    let least = at(next, from - 1);
    for (let j = from; j <= to; j++) {
      const same = a[i - 1] === b[j - 1];
      // The previous row has no cell above the last cell of this row.
      const above = j === i + most ? most + 1 : at(row, j) + 1;
      let edits = Math.min(above, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(before, j - 2) + 1);
      next[j] = edits;
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
