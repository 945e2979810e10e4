import type { Method } from '../operation.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate, releaseDates } from '../versions.ts';

/** Where an operation stands: in the contract, or only in the wider reference. */
export type PlannedSource = 'contract' | 'reference';

/** An operation that the service is to have, whether or not it is served yet. */
export interface PlannedOperation {
  readonly id: string;
  readonly method: Method;
  /** Without the base path; the root is `/`. */
  readonly path: string;
  readonly tag: string;
  readonly source: PlannedSource;
  /** Versions in which it exists, oldest first. */
  readonly versions: readonly ReleaseDate[];
}

type Entry = Pick<PlannedOperation, 'id' | 'source' | 'versions'>;

/** The operations of one tag, by path and method. */
export interface PlannedTag {
  readonly tag: string;
  readonly paths: { readonly [path: string]: { readonly [M in Method]?: Entry } };
}

/** An operation that the contract names; `dates` are those before the newest, by default the first one alone. */
export const contract = (id: string, ...dates: ReleaseDate[]): Entry => entry('contract', id, dates);

/** An operation that only the reference has. */
export const reference = (id: string, ...dates: ReleaseDate[]): Entry => entry('reference', id, dates);

function entry(source: PlannedSource, id: string, dates: readonly ReleaseDate[]): Entry {
  const named = new Set<ReleaseDate>(dates.length > 0 ? dates : [LEGACY_VERSION]);
  named.add(NEWEST_VERSION);
  return { id, source, versions: releaseDates.filter((date) => named.has(date)) };
}

export function operationsOfTag({ tag, paths }: PlannedTag): PlannedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, planned]) => ({ ...planned, method: method as Method, path, tag })),
  );
}
