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

/** Applies Unicode's NFKC_Casefold. It lowercases text and replaces compatible characters by one form. */
export const icuNormalize: CharFilter = rewriting(function* (text): Generator<Replacement> {
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const normal = folded(cluster);
    if (normal !== cluster) yield { start: index, end: index + cluster.length, text: normal };
  }
});

/** Replaces zero-width non-joiners by spaces, because Persian texts separate the parts of a word by either of them. */
export const persian: CharFilter = mapping(new Map([['\u200c', ' ']]));
