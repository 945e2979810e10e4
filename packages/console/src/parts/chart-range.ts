const HOUR_S = 3600;
const MINUTE_S = 60;

/** Returns the range of the time axis. If its begin is unknown, or less than a minute before the end, returns an hour. */
export function rangeOf(min: number | null, end: number): [number, number] {
  return [min === null || end - min < MINUTE_S ? end - HOUR_S : min, end];
}

/** The times that an axis shows. A chart without values has none. */
interface Shown {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Whether the axis of a chart with values at these times shows only a part of them. */
export function isZoomed(times: ArrayLike<number>, { min, max }: Shown = {}): boolean {
  const [first, last] = [times[0], times[times.length - 1]];
  if (first === undefined || last === undefined || min === undefined || max === undefined) return false;
  const [begin, end] = rangeOf(first, last);
  return min !== begin || max !== end;
}
