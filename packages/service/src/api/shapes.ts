import type { TSchema } from 'typebox';
import type { Access, AnyOperation, ShapeChange, VersionShape } from './operation.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate, releaseDates } from './versions.ts';

/** What an operation takes and answers in one of its versions. */
export interface Shape {
  readonly version: ReleaseDate;
  readonly body: TSchema | undefined;
  readonly reply: TSchema | undefined;
  readonly status: number;
  readonly access: Access;
  /** How this version differs from the operation's own shape; absent where it does not. */
  readonly change: ShapeChange | undefined;
  /** The day on which a version followed that made this one old; absent where the newest has the same shape. */
  readonly deprecatedSince: ReleaseDate | undefined;
}

type AnyVersionShape = VersionShape<unknown, unknown>;

const byDefault: { readonly [Date in ReleaseDate]?: AnyVersionShape } = {
  [LEGACY_VERSION]: 'same',
  [NEWEST_VERSION]: 'same',
};

function declared(operation: AnyOperation): { readonly [Date in ReleaseDate]?: AnyVersionShape } {
  return operation.versions ?? byDefault;
}

/** Versions in which an operation exists, oldest first. */
export function versionsOf(operation: AnyOperation): readonly ReleaseDate[] {
  const versions = declared(operation);
  return releaseDates.filter((date) => versions[date] !== undefined);
}

/** The newest version of an operation that is not later than `date` (`YYYY-MM-DD`), if there is one. */
export function versionAt(operation: AnyOperation, date: string): ReleaseDate | undefined {
  return versionsOf(operation).findLast((version) => version <= date);
}

/** The shape of an operation in one of its versions; nothing where that version exists but is not served. */
export function shapeIn(operation: AnyOperation, version: ReleaseDate): Shape | undefined {
  const versions = declared(operation);
  const own = versions[version];
  if (own === undefined || own === 'unavailable') return undefined;
  const change = own === 'same' ? undefined : own;
  return {
    version,
    body: change?.body ?? operation.body,
    reply: change?.reply ?? operation.reply,
    status: change?.status ?? operation.status,
    access: change?.access ?? operation.access,
    change,
    deprecatedSince: successorOf(operation, version, own),
  };
}

function successorOf(operation: AnyOperation, version: ReleaseDate, own: AnyVersionShape) {
  const dates = versionsOf(operation);
  const newest = dates.at(-1);
  if (newest === undefined || declared(operation)[newest] === own) return undefined;
  return dates.find((date) => date > version);
}
