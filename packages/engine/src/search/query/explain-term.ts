import type { TextSimilarity } from '../../interface/search/index.ts';
import { B, idf, K1, termScore } from './bm25.ts';
import type { Explanation } from './operator.ts';
import { rarityOf, stableTf } from './stable-tfl.ts';
import type { FieldStatistics, TermStatistics } from './statistics.ts';

/** The score of a term in a document, and what it was computed from. */
interface ScoredTerm {
  /** The description of the searched term. */
  readonly query: string;
  readonly similarity: TextSimilarity;
  readonly boost: number;
  readonly value: number;
  readonly freq: number;
  /** The length of the field in the document. */
  readonly length: number;
  readonly term: TermStatistics;
  readonly field: FieldStatistics;
}

/** The prefixes of the names of text fields and completions in segments, and their types in explanations. */
const types: Readonly<Record<string, string>> = { 't:': '$type:string', 'a:': '$type:autocomplete' };

/** Describes a searched term like the reference server, whose index names a field by its type and path. */
export function termQuery(field: string, term: string): string {
  return `${fieldName(field)}:${term}`;
}

/** Returns the name of a field of a segment in explanations. */
function fieldName(field: string): string {
  const [path = '', multi] = field.slice(2).split('\0');
  return multi === undefined
    ? `${types[field.slice(0, 2)] ?? '$type:string'}/${path}`
    : `$multi/${path}.${multi}`;
}

/** The names of the algorithms in explanations. */
const names = {
  bm25: 'BM25Similarity',
  boolean: 'BooleanSimilarity',
  stableTfl: 'StableTflSimilarity',
} as const;

export function explainTerm(scored: ScoredTerm): Explanation {
  const { query, similarity, boost, freq, value } = scored;
  const [factors, text] = factorsOf[similarity](scored);
  const score = explained(value, `score(freq=${freq.toFixed(1)}), computed as ${text} from:`, [
    ...(boost === 1 ? [] : [explained(boost, 'boost')]),
    ...factors,
  ]);
  return explained(value, `${query} [${names[similarity]}], result of:`, [score]);
}

type FactorsOf = (scored: ScoredTerm) => readonly [factors: readonly Explanation[], text: string];

const factorsOf: Readonly<Record<TextSimilarity, FactorsOf>> = {
  bm25({ freq, length, term, field }) {
    const [n, all] = [term.documents, field.documents];
    const rare = explained(idf(n, all), 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:', [
      explained(n, 'n, number of documents containing term'),
      explained(all, 'N, total number of documents with field'),
    ]);
    const text = 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:';
    const often = explained(termScore(1, freq, length, field.average), text, [
      explained(freq, 'freq, occurrences of term within document'),
      explained(K1, 'k1, term saturation parameter'),
      explained(B, 'b, length normalization parameter'),
      explained(length, 'dl, length of field'),
      explained(field.average, 'avgdl, average length of field'),
    ]);
    return [[rare, often], 'boost * idf * tf'];
  },
  boolean: () => [[], 'boost'],
  stableTfl({ freq, length, term }) {
    const rare = explained(rarityOf(term.term)(length), 'tr, term rarity');
    return [
      [
        rare,
        explained(stableTf(freq), 'tf, computed as freq / (freq + k1) from:', [
          explained(freq, 'freq, occurrences of term within document'),
          explained(K1, 'k1, term saturation parameter'),
        ]),
      ],
      'boost * tr * tf',
    ];
  },
};

/** Creates an explanation. Scores are numbers of 32 bits, like those of the reference server. */
export function explained(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { value: Math.fround(value), description, details };
}
