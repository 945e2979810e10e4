import type { TSchema } from 'typebox';
import type { Access, AnyOperation, ShapeChange, VersionShape } from './operation.ts';
import { type Support, supportUntil } from './support.ts';
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
  /** Empty if the version is not deprecated. */
  readonly support: Support;
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
    support: operation.support?.(version) ?? contractSupport(operation, version, own),
  };
}

/** A version is deprecated if the newest version has another shape. */
function contractSupport(operation: AnyOperation, version: ReleaseDate, own: AnyVersionShape): Support {
  const dates = versionsOf(operation);
  const newest = dates.at(-1);
  const successor = dates.find((date) => date > version);
  if (newest === undefined || successor === undefined || declared(operation)[newest] === own) return {};
  return supportUntil(successor, dates[0] === version);
}
