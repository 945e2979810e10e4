import type { CharFilter, Source } from '../token.ts';

/** A range of the text and its replacement. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The cost of a filter that replaces each character. It takes up to a microsecond per character. */
const COST = 40;

/**
 * Creates a char filter that replaces ranges of a text, given in order. Each UTF-16 unit of a replacement maps to the
 * unit of the range at the same index. If the replacement is longer than the range, its other units map to the end of
 * the range. An undefined replacement marks where other work can run.
 */
export function rewriting(
  replacements: (text: string) => Iterable<Replacement | undefined>,
  cost = COST,
): CharFilter {
  function* filter(source: Source): Generator<void, Source> {
    const all = replacements(source.text)[Symbol.iterator]();
    const first = yield* nextOf(all);
    return first === undefined ? source : yield* rewritten(source, first, all);
  }
  return Object.assign(filter, { cost });
}

/** Returns the next replacement, or undefined after the last one. Yields where other work can run. */
function* nextOf(all: Iterator<Replacement | undefined>): Generator<void, Replacement | undefined> {
  for (let next = all.next(); next.done !== true; next = all.next()) {
    if (next.value !== undefined) return next.value;
    yield;
  }
  return undefined;
}

function* rewritten(
  { text, origins, most }: Source,
  first: Replacement,
  others: Iterator<Replacement | undefined>,
): Generator<void, Source> {
  const parts: string[] = [];
  const from: number[] = [];
  let at = 0;
  const copyTo = (end: number) => {
    parts.push(text.slice(at, end));
    for (; at < end; at++) from.push(at);
  };
  for (let next: Replacement | undefined = first; next !== undefined && from.length <= most; ) {
    const { start, end, text: replacement } = next;
    copyTo(start);
    parts.push(replacement);
    for (let index = 0; index < replacement.length; index++) from.push(Math.min(start + index, end));
    at = end;
    next = yield* nextOf(others);
  }
  if (from.length <= most) copyTo(text.length);
  from.push(text.length);
  return {
    text: parts.join(''),
    most,
    origins: Int32Array.from(from, (index) => (origins === undefined ? index : (origins[index] as number))),
  };
}
