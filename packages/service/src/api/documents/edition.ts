import { LEGACY_BASE, mediaTypeOf, OPERATOR_BASE, VERSIONED_BASE } from '../addresses.ts';
import type { AnyOperation } from '../operation.ts';
import { type Shape, shapeIn, versionAt, versionsOf } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate, releaseDates } from '../versions.ts';
import { withoutTwins } from './twins.ts';

/** One document: the operations as callers of one date, or of the legacy path, meet them. */
export interface Edition {
  /** As in its address: `2025-03-12`, `v1.0`. */
  readonly name: string;
  readonly date: ReleaseDate;
  readonly legacy: boolean;
}

/** An operation at its place in an edition. */
export interface Placed {
  readonly operation: AnyOperation;
  readonly shape: Shape;
  /** With the base path; its parameters may have other names than those of the operation, see `withoutTwins`. */
  readonly path: string;
  /** Of answers, and of bodies beside the plain type. */
  readonly mediaType: string;
  readonly extension: boolean;
  readonly rateLimited: boolean;
}

const legacyEdition: Edition = { name: 'v1.0', date: LEGACY_VERSION, legacy: true };

/** One edition for each date on which a shape came out, and the legacy one. */
export function editionsOf(operations: readonly AnyOperation[]): readonly Edition[] {
  const dates = new Set<ReleaseDate>(operations.filter((o) => !isOperator(o)).flatMap(versionsOf));
  dates.add(LEGACY_VERSION).add(NEWEST_VERSION);
  const dated = releaseDates.filter((date) => dates.has(date));
  return [...dated.map((date) => ({ name: date, date, legacy: false })), legacyEdition];
}

/**
 * The operations that an edition serves, by path and method. `rateLimited`: ids and tags of those that are, besides
 * the ones that say so themselves.
 */
export function placedIn(
  edition: Edition,
  operations: readonly AnyOperation[],
  rateLimited: readonly string[] = [],
): Placed[] {
  const limited = new Set(rateLimited);
  const placed = operations
    .map((operation) => place(edition, operation, limited))
    .filter((one) => one !== undefined);
  return withoutTwins(placed).sort(
    (a, b) => compare(a.path, b.path) || compare(a.operation.method, b.operation.method),
  );
}

function place(edition: Edition, operation: AnyOperation, limited: ReadonlySet<string>): Placed | undefined {
  const operator = isOperator(operation);
  // Extensions have no versions of their own: every edition shows them as they are.
  const version = versionAt(operation, operator ? NEWEST_VERSION : edition.date);
  const shape = version && shapeIn(operation, version);
  if (!shape) return undefined;
  const base = operator ? OPERATOR_BASE : edition.legacy ? LEGACY_BASE : VERSIONED_BASE;
  const plain = operator || edition.legacy;
  return {
    operation,
    shape,
    path: operation.path === '/' ? base : base + operation.path,
    mediaType: mediaTypeOf(operation.bytes ?? 'json', plain ? undefined : shape.version),
    extension: operator || operation.extension === true,
    rateLimited: operation.rateLimited === true || limited.has(operation.id) || limited.has(operation.tag),
  };
}

const isOperator = (operation: AnyOperation) => operation.surface === 'operator';

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
