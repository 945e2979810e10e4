/** Both counted from 0 and part of it. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The part that the header `Range` asks for of so many bytes (RFC 9110, 14). Nothing where it asks for none, for several
 * at once, or in a form that is not known: the whole is answered then, as the RFC allows.
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '')
    return Number(to) === 0 ? 'unsatisfiable' : within(Math.max(0, bytes - Number(to)), bytes - 1);
  const [first, last] = [Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)];
  if (to !== '' && Number(to) < first) return undefined;
  return first < bytes ? within(first, last) : 'unsatisfiable';
}

const within = (first: number, last: number): ByteRange | 'unsatisfiable' =>
  last < first ? 'unsatisfiable' : { first, last };
