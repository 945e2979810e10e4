/** The positions of the first and the last byte of a range, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the range that a `Range` header selects from a content of `bytes` bytes (RFC 9110 section 14). Returns
 * undefined if there is no range, if there are several, or if the unit is unknown. The response then contains the
 * whole content, as the RFC allows.
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
