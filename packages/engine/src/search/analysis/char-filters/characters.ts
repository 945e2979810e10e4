import { folded } from '../filters/folding.ts';
import type { CharFilter } from '../token.ts';
import { KeyFinder } from './key-finder.ts';
import { type Replacement, rewriting } from './rewriting.ts';

/** Replaces the keys of `mappings` by their values. If several keys begin at one position, replaces the longest key. */
export function mapping(mappings: ReadonlyMap<string, string>): CharFilter {
  const finder = new KeyFinder(mappings.keys());
  return rewriting(function* (text): Generator<Replacement> {
    const keys = finder.keysIn(text);
    for (let at = 0; at < text.length; ) {
      const key = keys[at];
      if (key !== undefined) yield { start: at, end: at + key.length, text: mappings.get(key) as string };
      at += key?.length ?? 1;
    }
  });
}

/**
 * Matches what normalization can change: a non-ASCII character, an ASCII one with combining marks, or a capital letter.
 */
const CLUSTER = /[^\0-\x7f]\p{M}*|[\0-\x7f]\p{M}+|[A-Z]/gu;

/** The number of clusters after which other work can run. Each takes 2 to 4 µs. */
const CLUSTERS = 2_048;
/** The cost in steps per character. */
const COST = 150;

/** Applies Unicode's NFKC_Casefold. It lowercases text and replaces compatible characters by one form. */
export const icuNormalize: CharFilter = rewriting(function* (text): Generator<Replacement | undefined> {
  let clusters = 0;
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    if (++clusters % CLUSTERS === 0) yield undefined;
    const normal = folded(cluster);
    if (normal !== cluster) yield { start: index, end: index + cluster.length, text: normal };
  }
}, COST);

/** Replaces zero-width non-joiners by spaces, because Persian texts separate the parts of a word by either of them. */
export const persian: CharFilter = mapping(new Map([['\u200c', ' ']]));
