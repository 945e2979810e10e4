import { folded } from '../filters/folding.ts';
import type { CharFilter } from '../token.ts';
import { KeyFinder } from './key-finder.ts';
import { type Replacement, rewriting } from './rewriting.ts';

/** Replaces strings by others; of several that begin at one position, the longest. */
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

/** A character with its combining marks. */
const CLUSTER = /[^\0-\x7f]\p{M}*|[\0-\x7f]\p{M}+|[A-Z]/gu;

/** Unicode's NFKC_Casefold: lowercases, and unifies characters that look the same. */
export const icuNormalize: CharFilter = rewriting(function* (text): Generator<Replacement> {
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const normal = folded(cluster);
    if (normal !== cluster) yield { start: index, end: index + cluster.length, text: normal };
  }
});

/** Persian joins parts of a word by a zero-width non-joiner, which others write as a space. */
export const persian: CharFilter = mapping(new Map([['\u200c', ' ']]));
