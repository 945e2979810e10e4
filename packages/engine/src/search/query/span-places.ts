import { firstIndex } from '@portolan/foundation/first-index';

/** A range of positions; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Of a phrase: the number of positions by which its terms have moved. */
  readonly moved?: number;
}

/** Returns spans that contain a span of each source in order, with at most `slop` positions between them. */
export function orderedNear(own: ReadonlyArray<readonly Span[]>, slop: number, check: () => void): Span[] {
  const found: Span[] = [];
  for (const first of own[0] ?? []) {
    let end = first.end;
    let gaps = 0;
    let whole = true;
    for (let i = 1; i < own.length; i++) {
      check();
      const spans = own[i] as readonly Span[];
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

/** Number of spans that are compared in the time of one check. */
const SPANS_PER_CHECK = 32;

/** Returns the current span of a source. */
function spanAt(own: ReadonlyArray<readonly Span[]>, at: readonly number[], source: number): Span {
  return (own[source] as readonly Span[])[at[source] as number] as Span;
}

/** True if the current spans of all sources begin at different positions. */
function areApart(own: ReadonlyArray<readonly Span[]>, at: readonly number[], check: () => void): boolean {
  const starts = new Set<number>();
  for (let i = 0; i < own.length; i++) {
    if (i % SPANS_PER_CHECK === 0) check();
    starts.add(spanAt(own, at, i).start);
  }
  return starts.size === own.length;
}

/** Returns spans that contain a span of each source in any order. */
export function unorderedNear(own: ReadonlyArray<readonly Span[]>, slop: number, check: () => void): Span[] {
  const at = own.map(() => 0);
  const found: Span[] = [];
  for (;;) {
    let [start, end, taken, first] = [Number.POSITIVE_INFINITY, 0, 0, 0];
    for (let i = 0; i < own.length; i++) {
      if (i % SPANS_PER_CHECK === 0) check();
      const span = spanAt(own, at, i);
      if (span.start < start) {
        start = span.start;
        first = i;
      }
      end = Math.max(end, span.end);
      taken += span.end - span.start;
    }
    if (end - start - taken <= slop && areApart(own, at, check)) found.push({ start, end });
    at[first] = (at[first] as number) + 1;
    if ((at[first] as number) >= (own[first] as readonly Span[]).length) return found;
  }
}

/**
 * Places a phrase around the given first term such that the other terms move as little as possible. Returns undefined
 * if they move by more than `slop`. `spend` counts the spans that are compared.
 */
export function bestPlacement(
  own: ReadonlyArray<readonly Span[]>,
  offsets: readonly number[],
  slop: number,
  first: Span,
  spend: (steps: number) => void,
): Span | undefined {
  const base = first.start - (offsets[0] as number);
  const taken = new Set([first.start]);
  let [low, high, start, end] = [0, 0, first.start, first.end];
  for (let i = 1; i < own.length; i++) {
    const wanted = base + (offsets[i] as number);
    const best = nearestSpan(own[i] as readonly Span[], wanted, taken, spend);
    if (best === undefined) return undefined;
    low = Math.min(low, best.start - wanted);
    high = Math.max(high, best.start - wanted);
    if (high - low > slop) return undefined;
    taken.add(best.start);
    start = Math.min(start, best.start);
    end = Math.max(end, best.end);
  }
  return { start, end, moved: high - low };
}

/**
 * Returns the span nearest to a position, ignoring the spans in `taken`. Of two spans at the same distance,
 * returns the earlier one.
 */
function nearestSpan(
  spans: readonly Span[],
  wanted: number,
  taken: ReadonlySet<number>,
  spend: (steps: number) => void,
): Span | undefined {
  const from = firstFrom(spans, wanted);
  const free = (at: number, step: 1 | -1): Span | undefined => {
    let next = at;
    while (taken.has(spans[next]?.start ?? Number.NaN)) {
      spend(1);
      next += step;
    }
    return spans[next];
  };
  spend(1);
  const [before, behind] = [free(from - 1, -1), free(from, 1)];
  if (before === undefined || behind === undefined) return before ?? behind;
  return behind.start - wanted < wanted - before.start ? behind : before;
}

/** Returns the index of the first span that starts at or after a position. `spans` is sorted. */
function firstFrom(spans: readonly Span[], start: number): number {
  return firstIndex(spans, (span) => span.start >= start);
}

/** Decides for a span whether it passes a test. */
export type Test = (span: Span) => boolean;

/** Returns a test whether a span overlaps none of `spans`, which are in order. */
export function apartFrom(spans: readonly Span[], check: () => void): Test {
  const ends = latestEnds(spans, check);
  return ({ start, end }) => (ends[firstFrom(spans, end) - 1] ?? 0) <= start;
}

/** Returns a test whether a span lies within one of `spans`, which are in order. */
export function within(spans: readonly Span[], check: () => void): Test {
  const ends = latestEnds(spans, check);
  return ({ start, end }) => (ends[firstFrom(spans, start + 1) - 1] ?? 0) >= end;
}

/** Returns a test whether a span contains one of `spans`, which are in order. */
export function containing(spans: readonly Span[], check: () => void): Test {
  const ends = new Float64Array(spans.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = spans.length - 1; i >= 0; i--) {
    check();
    ends[i] = Math.min(ends[i + 1] as number, (spans[i] as Span).end);
  }
  return ({ start, end }) => (ends[firstFrom(spans, start)] as number) <= end;
}

/** Returns for each span the latest end of the spans up to this one. */
function latestEnds(spans: readonly Span[], check: () => void): Float64Array {
  const ends = new Float64Array(spans.length);
  let latest = 0;
  for (const [i, { end }] of spans.entries()) {
    check();
    latest = Math.max(latest, end);
    ends[i] = latest;
  }
  return ends;
}
