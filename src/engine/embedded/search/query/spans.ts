import type { Segment } from '../file/segment.ts';
import { idf, tf } from './bm25.ts';
import { Hits } from './hits.ts';
import type { Looked, Operator } from './operator.ts';
import type { Searching } from './searching.ts';

/** From one position up to another, that left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where something stands in the texts of one field; documents in order, in each of them spans in order. */
export interface SpanSource {
  readonly field: string;
  readonly terms: readonly string[];
  readonly looksFor: readonly Looked[];
  spans(segment: Segment): ReadonlyMap<number, readonly Span[]>;
}

export function termSpans(search: Searching, field: string, term: string): SpanSource {
  return {
    field,
    terms: [term],
    looksFor: [{ field, matches: (other) => other === term }],
    spans(segment) {
      const postings = search.term(field, term).postings(segment);
      const found = new Map<number, Span[]>();
      if (postings === undefined) return found;
      const positions = segment.positions(field, term, postings);
      postings.docs.forEach((doc, at) => {
        search.check();
        const own = positions[at] ?? new Int32Array(0);
        found.set(
          doc,
          Array.from(own, (position) => ({ start: position, end: position + 1 })),
        );
      });
      return found;
    },
  };
}

/** Spans of all sources near each other: no more positions lie between them than `slop`. */
export function near(sources: readonly SpanSource[], slop: number, inOrder: boolean): SpanSource {
  return joined(sources, (segment) => {
    const all = sources.map((source) => source.spans(segment));
    const found = new Map<number, Span[]>();
    for (const doc of all[0]?.keys() ?? []) {
      const own = all.map((spans) => spans.get(doc) ?? []);
      if (own.some(({ length }) => length === 0)) continue;
      const spans = inOrder ? orderedNear(own, slop) : unorderedNear(own, slop);
      if (spans.length > 0) found.set(doc, spans);
    }
    return found;
  });
}

function orderedNear(own: ReadonlyArray<readonly Span[]>, slop: number): Span[] {
  const found: Span[] = [];
  for (const first of own[0] ?? []) {
    let end = first.end;
    let gaps = 0;
    let whole = true;
    for (const spans of own.slice(1)) {
      const next = spans[firstFrom(spans, end)];
      if (next === undefined) {
        whole = false;
        break;
      }
      gaps += next.start - end;
      end = next.end;
    }
    if (whole && gaps <= slop) found.push({ start: first.start, end });
  }
  return found;
}

/** Windows that hold one span of each. */
function unorderedNear(own: ReadonlyArray<readonly Span[]>, slop: number): Span[] {
  const at = own.map(() => 0);
  const found: Span[] = [];
  for (;;) {
    const current = own.map((spans, i) => spans[at[i] as number] as Span);
    const start = Math.min(...current.map((span) => span.start));
    const end = Math.max(...current.map((span) => span.end));
    const taken = current.reduce((sum, span) => sum + span.end - span.start, 0);
    const apart = new Set(current.map((span) => span.start)).size === current.length;
    if (apart && end - start - taken <= slop) found.push({ start, end });
    const first = current.findIndex((span) => span.start === start);
    at[first] = (at[first] as number) + 1;
    if ((at[first] as number) >= (own[first] as readonly Span[]).length) return found;
  }
}

export function joined(sources: readonly SpanSource[], spans: SpanSource['spans']): SpanSource {
  return {
    field: sources[0]?.field ?? '',
    terms: sources.flatMap(({ terms }) => terms),
    looksFor: sources.flatMap(({ looksFor }) => looksFor),
    spans,
  };
}

/** Spans that a test of them and of those of another source leaves. */
export function filtered(
  source: SpanSource,
  keep: (span: Span, doc: number, segment: Segment) => boolean,
): SpanSource {
  return joined([source], (segment) => {
    const found = new Map<number, readonly Span[]>();
    for (const [doc, spans] of source.spans(segment)) {
      const left = spans.filter((span) => keep(span, doc, segment));
      if (left.length > 0) found.set(doc, left);
    }
    return found;
  });
}

/** Phrases: each position has one of some terms; `slop` is how far terms may be moved altogether, as in Lucene. */
export function sloppy(sources: readonly SpanSource[], offsets: readonly number[], slop: number): SpanSource {
  return joined(sources, (segment) => {
    const all = sources.map((source) => source.spans(segment));
    const found = new Map<number, Span[]>();
    for (const [doc, firsts] of all[0] ?? []) {
      const own = all.map((spans) => spans.get(doc) ?? []);
      if (own.some(({ length }) => length === 0)) continue;
      const spans = firsts.flatMap((first) => placed(own, offsets, slop, first));
      if (spans.length > 0) found.set(doc, spans);
    }
    return found;
  });
}

/** The way of the terms of a phrase around its first term in which they are moved least. */
function placed(
  own: ReadonlyArray<readonly Span[]>,
  offsets: readonly number[],
  slop: number,
  first: Span,
): Span[] {
  const base = first.start - (offsets[0] as number);
  const chosen = [first];
  const taken = new Set([first.start]);
  const moves = [0];
  for (let i = 1; i < own.length; i++) {
    const wanted = base + (offsets[i] as number);
    const best = nearestSpan(own[i] as readonly Span[], wanted, taken);
    if (best === undefined || Math.abs(best.start - wanted) > slop) return [];
    chosen.push(best);
    taken.add(best.start);
    moves.push(best.start - wanted);
  }
  if (Math.max(...moves) - Math.min(...moves) > slop) return [];
  return [
    { start: Math.min(...chosen.map((one) => one.start)), end: Math.max(...chosen.map((one) => one.end)) },
  ];
}

/** That whose start is nearest to a place, of those whose start is not taken; the earlier one of two. */
function nearestSpan(spans: readonly Span[], wanted: number, taken: ReadonlySet<number>): Span | undefined {
  const from = firstFrom(spans, wanted);
  const free = (at: number, step: 1 | -1): Span | undefined => {
    let next = at;
    while (taken.has(spans[next]?.start ?? Number.NaN)) next += step;
    return spans[next];
  };
  const [before, behind] = [free(from - 1, -1), free(from, 1)];
  if (before === undefined || behind === undefined) return before ?? behind;
  return behind.start - wanted < wanted - before.start ? behind : before;
}

/** Of spans in order, the first one that begins there or later. */
function firstFrom(spans: readonly Span[], start: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds documents with such spans; each span counts the less the wider it is. */
export function spanOperator(source: SpanSource, search: Searching): Operator {
  const statistics = search.statistics(source.field);
  const weight = () =>
    source.terms.reduce(
      (sum, term) => sum + idf(search.term(source.field, term).documents, statistics.documents),
      0,
    );
  return {
    looksFor: source.looksFor,
    hits(segment) {
      const hits = new Hits(segment.size);
      const own = weight();
      for (const [doc, spans] of source.spans(segment)) {
        if (spans.length === 0) continue;
        const freq = spans.reduce(
          (sum, { start, end }) => sum + 1 / (1 + Math.max(0, end - start - source.terms.length)),
          0,
        );
        hits.set(doc, own * tf(freq, statistics.length(segment, doc), statistics.average));
      }
      return hits;
    },
  };
}
