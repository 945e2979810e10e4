import type { Method } from '../operation.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate, releaseDates } from '../versions.ts';

/** Where an operation stands: in the contract, or only in the wider reference. */
export type PlannedSource = 'contract' | 'reference';

/** Method and path, without the base path; the root is `GET /`. */
export type Place = `${Method} /${string}`;

/** An operation that the service is to have, whether or not it is served yet. */
export interface PlannedOperation<Id extends string = string, At extends Place = Place> {
  readonly id: Id;
  readonly method: MethodOf<At>;
  readonly path: PathOf<At>;
  readonly tag: string;
  readonly source: PlannedSource;
  /** Versions in which it exists, oldest first. */
  readonly versions: readonly ReleaseDate[];
}

type MethodOf<At extends Place> = At extends `${infer M extends Method} ${string}` ? M : never;
type PathOf<At extends Place> = At extends `${string} ${infer Path}` ? Path : never;

interface Entry<At extends Place> {
  readonly at: At;
  readonly source: PlannedSource;
  readonly versions: readonly ReleaseDate[];
}

/** An operation that the contract names; `dates` are those before the newest, by default the first one alone. */
export function contract<const At extends Place>(at: At, ...dates: ReleaseDate[]): Entry<At> {
  return { at, source: 'contract', versions: withNewest(dates) };
}

/** An operation that only the reference has. */
export function reference<const At extends Place>(at: At, ...dates: ReleaseDate[]): Entry<At> {
  return { at, source: 'reference', versions: withNewest(dates) };
}

function withNewest(dates: readonly ReleaseDate[]): readonly ReleaseDate[] {
  const named = new Set<ReleaseDate>(dates.length > 0 ? dates : [LEGACY_VERSION]);
  named.add(NEWEST_VERSION);
  return releaseDates.filter((date) => named.has(date));
}

/** The operations of one tag, by id. */
export type PlannedTag<Entries> = {
  readonly [Id in keyof Entries & string]: Entries[Id] extends Entry<infer At>
    ? PlannedOperation<Id, At>
    : never;
};

export function plannedTag<Entries extends { readonly [id: string]: Entry<Place> }>(
  tag: string,
  entries: Entries,
): PlannedTag<Entries> {
  const operations = Object.entries(entries).map(([id, { at, ...entry }]) => {
    const [method, path] = at.split(' ');
    return [id, { id, method, path, tag, ...entry }];
  });
  return Object.fromEntries(operations) as PlannedTag<Entries>;
}
