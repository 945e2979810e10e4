import type { TSchema } from 'typebox';
import type { Access, AnyOperation, ShapeChange, VersionShape } from './operation.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate, releaseDates } from './versions.ts';

/** Request and response of an operation in one of its versions. */
export interface Shape {
  readonly version: ReleaseDate;
  readonly body: TSchema | undefined;
  readonly reply: TSchema | undefined;
  readonly status: number;
  readonly access: Access;
  /** Difference from the operation's own shape, if any. */
  readonly change: ShapeChange | undefined;
  /** The date of the version that replaced this shape; absent if the newest version still has it. */
  readonly deprecatedSince: ReleaseDate | undefined;
}

type AnyVersionShape = VersionShape<unknown, unknown>;

const byDefault: { readonly [Date in ReleaseDate]?: AnyVersionShape } = {
  [LEGACY_VERSION]: 'same',
  [NEWEST_VERSION]: 'same',
};

type Versioned = Pick<AnyOperation, 'versions'>;

function declared(operation: Versioned): { readonly [Date in ReleaseDate]?: AnyVersionShape } {
  return operation.versions ?? byDefault;
}

/** Returns the versions in which an operation exists, oldest first. */
export function versionsOf(operation: Versioned): readonly ReleaseDate[] {
  const versions = declared(operation);
  return releaseDates.filter((date) => versions[date] !== undefined);
}

/** Returns the newest version of an operation that is not later than `date` (`YYYY-MM-DD`), if any. */
export function versionAt(operation: AnyOperation, date: string): ReleaseDate | undefined {
  return versionsOf(operation).findLast((version) => version <= date);
}

/**
 * Whether a path without versions, such as `v1.0`, has an operation. Such a path has the operations of one version,
 * except those that are absent in the legacy API.
 */
export function isInLegacy(operation: AnyOperation, version: ReleaseDate = LEGACY_VERSION): boolean {
  return operation.absentInLegacy !== true && versionAt(operation, version) !== undefined;
}

/** Returns the shape of an operation in one of its versions; undefined if the service does not serve this version. */
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
