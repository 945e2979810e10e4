import { passes } from '../../bson/turns.ts';
import type { Segment } from '../file/segment.ts';
import type { FieldMapping } from '../mapping/field.ts';
import { B, idf, K1, tf } from './bm25.ts';
import { searchError } from './errors.ts';
import { Hits } from './hits.ts';
import type { Explanation, Operator } from './operator.ts';
import type { Searching } from './searching.ts';
import type { FieldStatistics, TermStatistics } from './statistics.ts';

interface TermOptions {
  readonly boost?: number;
  /** The mapping of the field; if absent, the default mapping. */
  readonly mapping?: FieldMapping | undefined;
}

/** Searches a term of a text field. The score depends on how rare the term is and on its frequency in a document. */
export class TermOperator implements Operator {
  readonly #search: Searching;
  readonly #term: TermStatistics;
  readonly #field: FieldStatistics;
  readonly #boost: number;
  readonly #mapping: FieldMapping | undefined;
  readonly searchedTerms: Operator['searchedTerms'];

  constructor(search: Searching, field: string, term: string, { boost = 1, mapping }: TermOptions = {}) {
    search.clause();
    this.#search = search;
    this.#term = search.term(field, term);
    this.#field = search.statistics(field);
    this.#boost = boost;
    this.#mapping = mapping;
    this.searchedTerms = [{ field, matches: (other) => other === term }];
  }

  /** The number of documents that contain the term. */
  get documents(): number {
    return this.#term.documents;
  }

  hits(segment: Segment): Hits {
    const hits = new Hits(segment.size);
    this.into(segment, hits);
    return hits;
  }

  /** Adds the scores of this term to existing ones. */
  into(segment: Segment, { found, scores }: Hits): void {
    const postings = this.#term.postings(segment);
    if (postings === undefined) return;
    const { docs, freqs, count } = postings;
    this.#search.spend(count);
    const weight = this.#boost * this.#idf();
    const { average } = this.#field;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      found[doc] = 1;
      scores[doc] = (scores[doc] as number) + weight * this.#tf(segment, doc, freqs[i] as number, average);
    }
  }

  #idf(): number {
    return this.#mapping?.similarity === 'bm25' || this.#mapping === undefined
      ? idf(this.#term.documents, this.#field.documents)
      : 1;
  }

  #tf(segment: Segment, doc: number, freq: number, average: number): number {
    if (this.#mapping?.similarity === 'boolean') return 1;
    const length = this.#mapping?.norms === false ? average : this.#field.length(segment, doc);
    return tf(freq, length, average);
  }

  explain(segment: Segment, doc: number): Explanation {
    const postings = this.#term.postings(segment);
    const at = postings?.docs.indexOf(doc) ?? -1;
    if (postings === undefined || at < 0) return { value: 0, description: 'no matching term', details: [] };
    const freq = postings.freqs[at] as number;
    const [n, all] = [this.#term.documents, this.#field.documents];
    const { average } = this.#field;
    const [rare, often] = [this.#idf(), this.#tf(segment, doc, freq, average)];
    const plain = (value: number, description: string): Explanation => ({ value, description, details: [] });
    return {
      value: Math.fround(this.#boost * rare * often),
      description: `${this.#term.field.slice(2)}:${this.#term.term} [BM25Similarity], result of:`,
      details: [
        {
          value: Math.fround(this.#boost * rare * often),
          description: 'score(freq), computed as boost * idf * tf from:',
          details: [
            plain(this.#boost, 'boost'),
            {
              value: rare,
              description: 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
              details: [
                plain(n, 'n, number of documents containing term'),
                plain(all, 'N, total number of documents with field'),
              ],
            },
            {
              value: often,
              description: 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
              details: [
                plain(freq, 'freq, occurrences of term within document'),
                plain(K1, 'k1, term saturation parameter'),
                plain(B, 'b, length normalization parameter'),
                plain(this.#field.length(segment, doc), 'dl, length of field'),
                plain(average, 'avgdl, average length of field'),
              ],
            },
          ],
        },
      ],
    };
  }
}

/** Matches documents that match at least `least` of several operators. Scores are added up. */
export function anyOf(operators: readonly Operator[], least = 1): Operator {
  const [only] = operators;
  if (operators.length === 1 && only !== undefined && least <= 1) return only;
  return {
    searchedTerms: operators.flatMap(({ searchedTerms }) => searchedTerms ?? []),
    hits(segment) {
      const all = new Hits(segment.size);
      const counts = least > 1 ? new Uint16Array(segment.size) : undefined;
      for (const operator of operators) {
        if (counts === undefined && operator instanceof TermOperator) operator.into(segment, all);
        else {
          const hits = operator.hits(segment);
          all.addAll(hits);
          if (counts !== undefined) {
            passes(counts.length);
            for (let doc = 0; doc < counts.length; doc++)
              counts[doc] = (counts[doc] as number) + (hits.found[doc] as number);
          }
        }
      }
      if (counts !== undefined)
        for (let doc = 0; doc < counts.length; doc++) if ((counts[doc] as number) < least) all.found[doc] = 0;
      return all;
    },
    explain: (segment, doc) => sumOf(operators, segment, doc),
  };
}

export function sumOf(operators: readonly Operator[], segment: Segment, doc: number): Explanation {
  const details = operators
    .filter((operator) => operator.hits(segment).found[doc] === 1)
    .map(
      (operator) =>
        operator.explain?.(segment, doc) ?? {
          value: operator.hits(segment).scores[doc] ?? 0,
          description: 'ConstantScore',
          details: [],
        },
    );
  return {
    value: Math.fround(details.reduce((sum, { value }) => sum + value, 0)),
    description: 'sum of:',
    details,
  };
}

/** Maximum number of terms per operator. */
export const MAX_CLAUSES = 1024;

export function tooManyClauses(): Error {
  return searchError(`maxClauseCount is set to ${MAX_CLAUSES}`);
}

/** An operator that matches nothing. */
export const nothing: Operator = { hits: ({ size }) => Hits.none(size), searchedTerms: [] };
