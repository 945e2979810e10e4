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
    check();
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

/** Returns spans that contain a span of each source in any order. */
export function unorderedNear(own: ReadonlyArray<readonly Span[]>, slop: number, check: () => void): Span[] {
  const at = own.map(() => 0);
  const found: Span[] = [];
  for (;;) {
    check();
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

/**
 * Places a phrase around the given first term such that the other terms move as little as possible. Returns undefined
 * if they move by more than `slop`.
 */
export function bestPlacement(
  own: ReadonlyArray<readonly Span[]>,
  offsets: readonly number[],
  slop: number,
  first: Span,
): Span | undefined {
  const base = first.start - (offsets[0] as number);
  const taken = new Set([first.start]);
  let [low, high, start, end] = [0, 0, first.start, first.end];
  for (let i = 1; i < own.length; i++) {
    const wanted = base + (offsets[i] as number);
    const best = nearestSpan(own[i] as readonly Span[], wanted, taken);
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

/** Returns the index of the first span that starts at or after a position. `spans` is sorted. */
function firstFrom(spans: readonly Span[], start: number): number {
  return firstIndex(spans, (span) => span.start >= start);
}
