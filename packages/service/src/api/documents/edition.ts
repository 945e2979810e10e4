import { mediaTypeOf, OPERATOR_BASE, PLAIN_MEDIA_TYPE } from '../addresses.ts';
import { type Dialect, neutralDialect } from '../dialect/dialect.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Access, AnyOperation } from '../operation.ts';
import { isInLegacy, type Shape, shapeIn, versionAt, versionsOf } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate, releaseDates } from '../versions.ts';
import { mergeEquivalentPaths } from './equivalent-paths.ts';

/** One OpenAPI document: the operations as of one date, or of the legacy path. */
export interface Edition {
  /** The name in the URL: `2025-03-12`, `v1.0`. */
  readonly name: string;
  readonly date: ReleaseDate;
  readonly legacy: boolean;
}

/** The parts of an operation that a document describes. */
export type DescribedOperation = Pick<
  AnyOperation,
  | 'bytes'
  | 'flags'
  | 'id'
  | 'list'
  | 'mayBeEmpty'
  | 'method'
  | 'path'
  | 'query'
  | 'summary'
  | 'tag'
  | 'versions'
>;

/** Who may call an operation or an endpoint. */
export type DescribedAccess = Access | Endpoint['access'];

/** An operation or an endpoint in an edition. */
export interface Placed {
  readonly operation: DescribedOperation;
  readonly shape: Omit<Shape, 'access' | 'change'> & { readonly access: DescribedAccess };
  /** The path, with the base path. Parameter names may differ from the operation's (see `mergeEquivalentPaths`). */
  readonly path: string;
  /** The media type of responses. Request bodies may have this type or `application/json`. */
  readonly mediaType: string;
  readonly extension: boolean;
  readonly rateLimited: boolean;
}

const legacyEdition: Edition = { name: 'v1.0', date: LEGACY_VERSION, legacy: true };

/** Returns one edition for each release date, and the legacy one. */
export function editionsOf(operations: readonly AnyOperation[]): readonly Edition[] {
  const dates = new Set<ReleaseDate>(operations.filter((o) => !isOperator(o)).flatMap(versionsOf));
  dates.add(LEGACY_VERSION).add(NEWEST_VERSION);
  const dated = releaseDates.filter((date) => dates.has(date));
  return [...dated.map((date) => ({ name: date, date, legacy: false })), legacyEdition];
}

export interface PlacingOptions {
  /** Ids and tags of operations that are rate-limited although their declarations set no rate limit. */
  readonly rateLimited?: readonly string[] | undefined;
  /** The dialect of the operations; by default the neutral one. */
  readonly dialect?: Dialect | undefined;
  readonly endpoints?: readonly Endpoint[] | undefined;
}

/** Returns the operations of an edition, by path and method. */
export function placedIn(
  edition: Edition,
  operations: readonly AnyOperation[],
  { rateLimited = [], dialect = neutralDialect, endpoints = [] }: PlacingOptions = {},
): Placed[] {
  const limited = new Set(rateLimited);
  const placed = operations
    .map((operation) => place(edition, operation, { limited, dialect }))
    .filter((one) => one !== undefined);
  return mergeEquivalentPaths([...placed, ...endpoints.map(placeEndpoint)]).sort(
    (a, b) => compare(a.path, b.path) || compare(a.operation.method, b.operation.method),
  );
}

function place(
  edition: Edition,
  operation: AnyOperation,
  { limited, dialect }: { readonly limited: ReadonlySet<string>; readonly dialect: Dialect },
): Placed | undefined {
  const operator = isOperator(operation);
  if (edition.legacy && !operator && !isInLegacy(operation)) return undefined;
  // Use the newest version of an extension in every edition, because extensions have no versions.
  const version = versionAt(operation, operator ? NEWEST_VERSION : edition.date);
  const shape = version && shapeIn(operation, version);
  if (!shape) return undefined;
  const { legacy, versioned } = dialect.bases;
  const base = operator ? OPERATOR_BASE : edition.legacy ? legacy : versioned;
  const plain = operator || edition.legacy;
  return {
    operation,
    shape,
    path: operation.path === '/' ? base : base + operation.path,
    mediaType: mediaTypeOf(operation.bytes ?? 'json', plain ? undefined : shape.version, dialect.mediaPrefix),
    extension: operator || operation.extension === true,
    rateLimited: operation.rateLimited === true || limited.has(operation.id) || limited.has(operation.tag),
  };
}

/** Returns an endpoint as part of an edition. Endpoints have no versions, so every edition contains them. */
function placeEndpoint(endpoint: Endpoint): Placed {
  const { access, body, path, reply, status } = endpoint;
  return {
    operation: endpoint,
    shape: { access, body, reply, status, version: NEWEST_VERSION, support: {} },
    path,
    mediaType: PLAIN_MEDIA_TYPE,
    extension: true,
    rateLimited: false,
  };
}

const isOperator = (operation: AnyOperation) => operation.surface === 'operator';

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
