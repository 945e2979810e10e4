import type { Segment } from '../file/segment.ts';
import type { FieldMapping } from '../mapping/field.ts';
import { idf, termScore } from './bm25.ts';
import { rarityOf, stableTf } from './stable-tfl.ts';
import type { FieldStatistics, TermStatistics } from './statistics.ts';

/** The terms from which one score is computed: a single term, or all terms of a phrase or span. */
export interface ScoredTerms {
  readonly terms: readonly TermStatistics[];
  readonly field: FieldStatistics;
  /** The mapping of the field; if undefined, the default mapping. */
  readonly mapping: FieldMapping | undefined;
  readonly boost: number;
}

const { fround } = Math;

/** Returns the sum of the inverse document frequencies of the terms. Like Lucene, rounds each of them. */
export function rarity({ terms, field }: Pick<ScoredTerms, 'terms' | 'field'>): number {
  return fround(terms.reduce((sum, { documents }) => sum + fround(idf(documents, field.documents)), 0));
}

/** Returns the length of the field in a document. If scores do not depend on it, returns the average length. */
export function scoredLength({ mapping, field }: ScoredTerms, segment: Segment, doc: number): number {
  return mapping?.norms === false ? field.average : field.length(segment, doc);
}

/**
 * Returns a function that computes the score of a document by the similarity algorithm of the field. `freq` is the
 * frequency of the term, phrase or span in the document.
 */
export function scoring(scored: ScoredTerms, segment: Segment): (doc: number, freq: number) => number {
  const { terms, field, mapping, boost } = scored;
  const similarity = mapping?.similarity ?? 'bm25';
  if (similarity === 'boolean') return () => boost;
  if (similarity === 'stableTfl') {
    const rarities = terms.map(({ term }) => rarityOf(term));
    return (doc, freq) => {
      const length = scoredLength(scored, segment, doc);
      return boost * rarities.reduce((sum, of) => sum + of(length), 0) * stableTf(freq);
    };
  }
  const weight = fround(boost * rarity(scored));
  const { average } = field;
  return (doc, freq) => termScore(weight, freq, scoredLength(scored, segment, doc), average);
}
