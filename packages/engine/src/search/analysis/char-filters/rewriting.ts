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
 * the range.
 */
export function rewriting(replacements: (text: string) => Iterable<Replacement>): CharFilter {
  const filter = (source: Source): Source => {
    const all = replacements(source.text)[Symbol.iterator]();
    const first = all.next();
    return first.done === true ? source : rewritten(source, first.value, all);
  };
  return Object.assign(filter, { cost: COST });
}

function rewritten(
  { text, origins, most }: Source,
  first: Replacement,
  others: Iterator<Replacement>,
): Source {
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
    const following = others.next();
    next = following.done === true ? undefined : following.value;
  }
  if (from.length <= most) copyTo(text.length);
  from.push(text.length);
  return {
    text: parts.join(''),
    most,
    origins: Int32Array.from(from, (index) => (origins === undefined ? index : (origins[index] as number))),
  };
}
