import { passes } from '../../bson/turns.ts';
import type { Segment } from '../file/segment.ts';
import type { FieldMapping } from '../mapping/field.ts';
import { searchError } from './errors.ts';
import { explained, explainTerm, termQuery } from './explain-term.ts';
import { Hits, ScoreSums } from './hits.ts';
import type { Explanation, Operator } from './operator.ts';
import type { Searching } from './searching.ts';
import { type ScoredTerms, scoring } from './similarity.ts';
import type { TermStatistics } from './statistics.ts';

interface TermOptions {
  readonly boost?: number;
  /** The mapping of the field; if absent, the default mapping. */
  readonly mapping?: FieldMapping | undefined;
  /** True if the term replaces one that has been counted as a clause. */
  readonly counted?: boolean;
}

/** Searches a term of a text field. The score depends on how rare the term is and on its frequency in a document. */
export class TermOperator implements Operator {
  readonly #search: Searching;
  readonly #term: TermStatistics;
  readonly #scored: ScoredTerms;
  readonly searchedTerms: Operator['searchedTerms'];

  constructor(
    search: Searching,
    field: string,
    term: string,
    { boost = 1, mapping, counted = false }: TermOptions = {},
  ) {
    if (!counted) search.clause();
    this.#search = search;
    this.#term = search.term(field, term);
    this.#scored = { terms: [this.#term], field: search.statistics(field), mapping, boost };
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
  into(segment: Segment, { found, scores }: Hits | ScoreSums): void {
    const postings = this.#term.postings(segment);
    if (postings === undefined) return;
    const { docs, freqs, count } = postings;
    this.#search.spend(count);
    const score = scoring(this.#scored, segment);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      found[doc] = 1;
      scores[doc] = (scores[doc] as number) + Math.fround(score(doc, freqs[i] as number));
    }
  }

  get query(): string {
    return termQuery(this.#term.field, this.#term.term);
  }

  explain(segment: Segment, doc: number): Explanation {
    const postings = this.#term.postings(segment);
    const at = postings?.docs.indexOf(doc) ?? -1;
    if (postings === undefined || at < 0) return explained(0, 'no matching term');
    const freq = postings.freqs[at] as number;
    return explainTerm(this.#scored, { query: this.query, freq, segment, doc });
  }

  boosted(by: number): Operator {
    return new TermOperator(this.#search, this.#term.field, this.#term.term, {
      boost: this.#scored.boost * by,
      mapping: this.#scored.mapping,
      counted: true,
    });
  }
}

/** Matches documents that match at least `least` of several operators. Scores are added up. */
export function anyOf(operators: readonly Operator[], least = 1): Operator {
  const [only] = operators;
  if (operators.length === 1 && only !== undefined && least <= 1) return only;
  return {
    searchedTerms: operators.flatMap(({ searchedTerms }) => searchedTerms ?? []),
    query: operators.flatMap(({ query }) => query ?? []).join(' '),
    hits(segment) {
      const all = new ScoreSums(segment.size);
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
      return all.toHits();
    },
    explain: (segment, doc) => sumOf(operators, segment, doc),
    ...(operators.every(({ boosted }) => boosted !== undefined)
      ? {
          boosted: (by: number) =>
            anyOf(
              operators.map((one) => one.boosted?.(by) ?? one),
              least,
            ),
        }
      : {}),
  };
}

export function sumOf(operators: readonly Operator[], segment: Segment, doc: number): Explanation {
  const details = operators
    .filter((operator) => operator.hits(segment).found[doc] === 1)
    .map((operator) => explainOf(operator, segment, doc));
  return sumOfDetails(details);
}

export function sumOfDetails(details: readonly Explanation[]): Explanation {
  return explained(
    details.reduce((sum, { value }) => sum + value, 0),
    'sum of:',
    details,
  );
}

/** Explains the score of a document. An operator without an explanation of its own assigns the same score to all. */
export function explainOf(operator: Operator, segment: Segment, doc: number): Explanation {
  if (operator.explain !== undefined) return operator.explain(segment, doc);
  const value = operator.hits(segment).scores[doc] ?? 0;
  return explained(
    value,
    operator.query === undefined || operator.query === '' ? 'ConstantScore' : operator.query,
  );
}

/** Maximum number of terms per operator. */
export const MAX_CLAUSES = 1024;

export function tooManyClauses(): Error {
  return searchError(`maxClauseCount is set to ${MAX_CLAUSES}`);
}

/** An operator that matches nothing. */
export const nothing: Operator = { hits: ({ size }) => Hits.none(size), searchedTerms: [] };
