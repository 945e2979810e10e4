import { folded } from '../filters/folding.ts';
import type { CharFilter } from '../token.ts';
import { type Replacement, rewriting } from './rewriting.ts';

/** Replaces strings by others; of several that begin at one position, the longest. */
export function mapping(mappings: ReadonlyMap<string, string>): CharFilter {
  const byFirst = Map.groupBy(
    [...mappings].toSorted(([a], [b]) => b.length - a.length),
    ([from]) => from[0],
  );
  return rewriting(function* (text): Generator<Replacement> {
    let at = 0;
    while (at < text.length) {
      const [from, to] = byFirst.get(text[at])?.find(([one]) => text.startsWith(one, at)) ?? [];
      if (from !== undefined && to !== undefined) yield { start: at, end: at + from.length, text: to };
      at += from?.length ?? 1;
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
