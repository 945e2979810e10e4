import type { RawDocument } from '../../bson/raw.ts';

/** Returns a function that tells whether a path of a time series lies in the metaField. */
export function metaPaths(timeseries: RawDocument): (path: string) => boolean {
  const meta = timeseries.string('metaField');
  return (path) => meta !== undefined && (path === meta || path.startsWith(`${meta}.`));
}
