import { firstIndex } from '@portolan/foundation/first-index';
import type { Postings } from '../file/codec.ts';
import type { Segment } from '../file/segment.ts';
import type { FieldMapping } from '../mapping/field.ts';
import { explained, explainTerm, phraseQuery, termQuery } from './explain-term.ts';
import { Hits } from './hits.ts';
import type { Operator, SearchedTerms } from './operator.ts';
import type { TextField } from './paths.ts';
import type { Searching } from './searching.ts';
import { type ScoredTerms, scoring } from './similarity.ts';
import { bestPlacement, orderedNear, type Span, type Test, unorderedNear } from './span-places.ts';

/** A source of spans: the occurrences of a term, a phrase or a combination of them in one field. */
export interface SpanSource {
  readonly field: string;
  readonly mapping: FieldMapping | undefined;
  /** Describes what is searched, for explanations of scores. */
  readonly query: string;
  readonly terms: readonly string[];
  readonly looksFor: readonly SearchedTerms[];
  /** Returns 1 for each document that may have spans. */
  candidates(segment: Segment): Uint8Array;
  /**
   * Returns the spans of one document in order. The spans of all documents together would take too much
   * memory.
   */
  spans(segment: Segment, doc: number): readonly Span[];
}

const none: readonly Span[] = [];
/** The size of a span in memory, with its place in an array. */
const SPAN_BYTES = 40;
/** Number of comparisons that find a span in an array of spans. */
const FINDING = 16;
/** The number of steps that reading or combining the spans of a document takes, besides those for each span. */
const DOCUMENT = 16;

/** Returns the spans of a term, cached. */
export function termSpans(
  search: Searching,
  { key, mapping }: Pick<TextField, 'key' | 'mapping'>,
  term: string,
): SpanSource {
  return search.once(`spans ${key}\0${term}`, () => new TermSpans(search, key, mapping, term));
}

interface PhrasePlacement {
  readonly postings: Postings;
  readonly positions: readonly Int32Array[];
}

class TermSpans implements SpanSource {
  readonly field: string;
  readonly mapping: FieldMapping | undefined;
  readonly query: string;
  readonly terms: readonly string[];
  readonly looksFor: readonly SearchedTerms[];
  readonly #search: Searching;
  readonly #term: string;
  readonly #placed = new Map<number, PhrasePlacement | undefined>();
  #last: { readonly segment: Segment; readonly doc: number; readonly spans: readonly Span[] } | undefined;

  constructor(search: Searching, field: string, mapping: FieldMapping | undefined, term: string) {
    this.field = field;
    this.mapping = mapping;
    this.query = termQuery(field, term);
    this.terms = [term];
    this.looksFor = [{ field, matches: (other) => other === term }];
    this.#search = search;
    this.#term = term;
  }

  candidates(segment: Segment): Uint8Array {
    const found = new Uint8Array(segment.size);
    for (const doc of this.#in(segment)?.postings.docs ?? []) found[doc] = 1;
    return found;
  }

  spans(segment: Segment, doc: number): readonly Span[] {
    if (this.#last?.segment !== segment || this.#last.doc !== doc) {
      this.#last = { segment, doc, spans: this.#read(segment, doc) };
    }
    return this.#last.spans;
  }

  #read(segment: Segment, doc: number): readonly Span[] {
    const own = this.#in(segment);
    if (own === undefined) return none;
    const at = placeOf(doc, own.postings.docs);
    if (at === undefined) return none;
    const positions = own.positions[at] ?? new Int32Array(0);
    this.#search.spend(DOCUMENT + positions.length);
    return Array.from(positions, (position) => {
      this.#search.check();
      return { start: position, end: position + 1 };
    });
  }

  #in(segment: Segment): PhrasePlacement | undefined {
    if (!this.#placed.has(segment.number)) {
      const postings = this.#search.term(this.field, this.#term).postings(segment);
      this.#placed.set(
        segment.number,
        postings && { postings, positions: segment.positions(this.field, this.#term, postings) },
      );
    }
    return this.#placed.get(segment.number);
  }
}

function placeOf(doc: number, docs: Int32Array): number | undefined {
  const place = firstIndex(docs, (other) => other >= doc);
  return docs[place] === doc ? place : undefined;
}

/** Combines sources: spans that contain a span of each source, with at most `slop` positions between them. */
export function near(
  search: Searching,
  sources: readonly SpanSource[],
  slop: number,
  inOrder: boolean,
): SpanSource {
  const { check } = search;
  const query = `spanNear([${queriesOf(sources)}], ${slop}, ${inOrder})`;
  return allOf(search, query, sources, (own) =>
    inOrder ? orderedNear(own, slop, check) : unorderedNear(own, slop, check),
  );
}

/**
 * Finds phrases. Each position matches one of several terms; `slop` is the number of positions that terms may move in
 * total, as in Lucene.
 */
export function sloppy(
  search: Searching,
  sources: readonly SpanSource[],
  offsets: readonly number[],
  slop: number,
): SpanSource {
  const first = offsets[0] ?? 0;
  const places = Array.from({ length: (offsets.at(-1) ?? first) - first + 1 }, (): readonly string[] => []);
  for (const [at, offset] of offsets.entries()) places[offset - first] = sources[at]?.terms ?? [];
  const query = phraseQuery(sources[0]?.field ?? '', places, slop);
  const spend = (steps: number) => search.spend(steps);
  return allOf(search, query, sources, (own) =>
    (own[0] ?? none).flatMap((first) => bestPlacement(own, offsets, slop, first, spend) ?? []),
  );
}

/** Creates a source from several sources. In each document that has spans of all of them, `make` combines the spans. */
function allOf(
  search: Searching,
  query: string,
  sources: readonly SpanSource[],
  make: (own: ReadonlyArray<readonly Span[]>) => readonly Span[],
): SpanSource {
  return {
    ...togetherOf(sources),
    query,
    candidates(segment) {
      const [first, ...others] = sources;
      const found = first?.candidates(segment) ?? new Uint8Array(segment.size);
      for (const other of new Set(others)) {
        search.spend(segment.size);
        const theirs = other.candidates(segment);
        for (let doc = 0; doc < found.length; doc++)
          found[doc] = (found[doc] as number) & (theirs[doc] as number);
      }
      return found;
    },
    spans(segment, doc) {
      const own = sources.map((source) => source.spans(segment, doc));
      if (own.some(({ length }) => length === 0)) return none;
      // An upper bound of the cost: each span of any source is compared with a span of every other source.
      const all = own.reduce((sum, { length }) => sum + length, 0);
      search.spend(DOCUMENT + all * own.length);
      search.hold(all * SPAN_BYTES);
      const made = make(own);
      search.release(all * SPAN_BYTES);
      return made;
    },
  };
}

/** Returns the spans of any of the sources. */
export function eitherOf(search: Searching, sources: readonly SpanSource[]): SpanSource {
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return only;
  return {
    ...togetherOf(sources),
    query: `spanOr([${queriesOf(sources)}])`,
    candidates(segment) {
      const found = new Uint8Array(segment.size);
      for (const source of new Set(sources)) {
        search.spend(segment.size);
        source.candidates(segment).forEach((is, doc) => {
          found[doc] = (found[doc] as number) | is;
        });
      }
      return found;
    },
    spans(segment, doc) {
      const all: Span[] = [];
      for (const source of sources) {
        const own = source.spans(segment, doc);
        // Sorting compares a span with about this number of others.
        search.spend(own.length * (1 + Math.ceil(Math.log2(sources.length))));
        search.hold(own.length * SPAN_BYTES);
        for (const span of own) {
          search.check();
          all.push(span);
        }
      }
      search.release(all.length * SPAN_BYTES);
      return all.sort((a, b) => {
        search.check();
        return a.start - b.start || a.end - b.end;
      });
    },
  };
}

function queriesOf(sources: readonly SpanSource[]): string {
  return sources.map(({ query }) => query).join(', ');
}

/**
 * Returns the spans of a source that pass the test that `testing` makes from the spans of another source. `query`
 * describes the result for explanations of scores.
 */
export function filtered(
  search: Searching,
  query: string,
  source: SpanSource,
  testing: (others: readonly Span[], check: () => void) => Test,
  other?: SpanSource,
): SpanSource {
  return {
    ...togetherOf([source]),
    query,
    candidates: (segment) => source.candidates(segment),
    spans(segment, doc) {
      const own = source.spans(segment, doc);
      search.spend(DOCUMENT);
      if (own.length === 0) return none;
      const others = other?.spans(segment, doc) ?? none;
      search.spend(own.length * FINDING + others.length);
      const passes = testing(others, search.check);
      return own.filter((span) => {
        search.check();
        return passes(span);
      });
    },
  };
}

function togetherOf(sources: readonly SpanSource[]): Omit<SpanSource, 'query' | 'candidates' | 'spans'> {
  return {
    field: sources[0]?.field ?? '',
    mapping: sources[0]?.mapping,
    terms: sources.flatMap(({ terms }) => terms),
    looksFor: sources.flatMap(({ looksFor }) => looksFor),
  };
}

/** Finds documents with spans of a source. Wider spans score lower. */
export function spanOperator(source: SpanSource, search: Searching): Operator {
  search.clause();
  return weighted(source, search, 1);
}

function weighted(source: SpanSource, search: Searching, boost: number): Operator {
  const scored = (): ScoredTerms => ({
    terms: source.terms.map((term) => search.term(source.field, term)),
    field: search.statistics(source.field),
    mapping: source.mapping,
    boost,
  });
  return {
    searchedTerms: source.looksFor,
    query: source.query,
    hits(segment) {
      const hits = new Hits(segment.size);
      const score = scoring(scored(), segment);
      const candidates = source.candidates(segment);
      search.spend(segment.size);
      for (let doc = 0; doc < candidates.length; doc++) {
        if (candidates[doc] === 0) continue;
        const spans = source.spans(segment, doc);
        if (spans.length > 0) hits.set(doc, score(doc, frequencyOf(spans, source)));
      }
      return hits;
    },
    explain(segment, doc) {
      const spans = source.spans(segment, doc);
      if (spans.length === 0) return explained(0, 'no matching phrase');
      const freq = frequencyOf(spans, source);
      return explainTerm(scored(), { query: source.query, freq, phrase: true, segment, doc });
    },
    boosted: (by) => weighted(source, search, boost * by),
  };
}

/**
 * Returns the number of spans in a document, for its score. A phrase counts less the more its terms have moved. Any
 * other span counts less the more positions it contains beyond one for each of its terms.
 */
function frequencyOf(spans: readonly Span[], { terms }: SpanSource): number {
  const { fround } = Math;
  return spans.reduce(
    (sum, { start, end, moved = Math.max(0, end - start - terms.length) }) =>
      fround(sum + fround(1 / (1 + moved))),
    0,
  );
}
