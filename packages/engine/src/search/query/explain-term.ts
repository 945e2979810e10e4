import type { TextSimilarity } from '../../interface/search/index.ts';
import type { Segment } from '../file/segment.ts';
import { B, idf, K1, termScore } from './bm25.ts';
import type { Explanation } from './operator.ts';
import { rarity, type ScoredTerms, scoredLength, scoring } from './similarity.ts';
import { rarityOf, stableTf } from './stable-tfl.ts';
import type { FieldStatistics, TermStatistics } from './statistics.ts';

/** A term, phrase or span, and the document that contains it. */
interface Found {
  /** The description of what was searched. */
  readonly query: string;
  readonly freq: number;
  /** True for phrases and spans. */
  readonly phrase?: boolean;
  readonly segment: Segment;
  readonly doc: number;
}

/** The values from which a score was computed. */
interface Factors {
  readonly terms: readonly TermStatistics[];
  readonly field: FieldStatistics;
  readonly freq: number;
  readonly freqText: string;
  /** The length of the field in the document. */
  readonly length: number;
}

/** The types of fields in explanations, by the prefix of the name that the field has in segments. */
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

/** Describes a searched phrase. `places` are its terms by position; a position can have several terms or none. */
export function phraseQuery(field: string, places: ReadonlyArray<readonly string[]>, slop: number): string {
  const words = places.map((terms) => {
    if (terms.length === 0) return '?';
    return terms.length === 1 ? terms[0] : `(${terms.join(' ')})`;
  });
  return `${fieldName(field)}:"${words.join(' ')}"${slop === 0 ? '' : `~${slop}`}`;
}

/** Explains the score of a term, phrase or span in a document. */
export function explainTerm(scored: ScoredTerms, { query, freq, phrase, segment, doc }: Found): Explanation {
  const { terms, field, boost } = scored;
  const similarity = scored.mapping?.similarity ?? 'bm25';
  const value = scoring(scored, segment)(doc, freq);
  const freqText =
    phrase === true ? `phraseFreq=${numberText(freq)}` : 'freq, occurrences of term within document';
  const [factors, text] = factorsOf[similarity]({
    terms,
    field,
    freq,
    freqText,
    length: scoredLength(scored, segment, doc),
  });
  const score = explained(value, `score(freq=${numberText(freq)}), computed as ${text} from:`, [
    ...(boost === 1 ? [] : [explained(boost, 'boost')]),
    ...factors,
  ]);
  return explained(value, `${query} [${names[similarity]}], result of:`, [score]);
}

/**
 * Writes a number of 32 bits like Java: with at least one decimal, and no more digits than are needed to read it back.
 */
export function numberText(value: number): string {
  const number = Math.fround(value);
  if (Number.isInteger(number)) return number.toFixed(1);
  for (let digits = 1; digits < 9; digits++) {
    const text = String(Number(number.toPrecision(digits)));
    if (Math.fround(Number(text)) === number) return text;
  }
  return String(Number(number.toPrecision(9)));
}

type FactorsOf = (found: Factors) => readonly [factors: readonly Explanation[], text: string];

const factorsOf: Readonly<Record<TextSimilarity, FactorsOf>> = {
  bm25({ terms, field, freq, freqText, length }) {
    const all = field.documents;
    const rare = terms.map(({ documents }) =>
      explained(idf(documents, all), 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:', [
        explained(documents, 'n, number of documents containing term'),
        explained(all, 'N, total number of documents with field'),
      ]),
    );
    const [only] = rare;
    const text = 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:';
    const often = explained(termScore(1, freq, length, field.average), text, [
      explained(freq, freqText),
      explained(K1, 'k1, term saturation parameter'),
      explained(B, 'b, length normalization parameter'),
      explained(length, 'dl, length of field'),
      explained(field.average, 'avgdl, average length of field'),
    ]);
    const idfs =
      rare.length === 1 && only !== undefined
        ? only
        : explained(rarity({ terms, field }), 'idf, sum of:', rare);
    return [[idfs, often], 'boost * idf * tf'];
  },
  boolean: () => [[], 'boost'],
  stableTfl({ terms, freq, freqText, length }) {
    const rare = terms.reduce((sum, { term }) => sum + rarityOf(term)(length), 0);
    const often = explained(stableTf(freq), 'tf, computed as freq / (freq + k1) from:', [
      explained(freq, freqText),
      explained(K1, 'k1, term saturation parameter'),
    ]);
    return [[explained(rare, 'tr, term rarity'), often], 'boost * tr * tf'];
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
