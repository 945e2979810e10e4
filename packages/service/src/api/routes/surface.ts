import { OPERATOR_BASE } from '../addresses.ts';
import { type Dialect, neutralDialect } from '../dialect/dialect.ts';
import type { AnyOperation } from '../operation.ts';
import { isInLegacy, shapeIn, versionAt } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION, type ReleaseDate } from '../versions.ts';

/** A base path, with the dialect and the versions in which it serves operations. */
export interface Surface {
  readonly base: string;
  /** `legacy`: one version of each operation; `versioned`: the version in the `Accept` header. */
  readonly kind: 'legacy' | 'versioned' | 'operator';
  /** The version of requests that name no version. */
  readonly version: ReleaseDate;
  readonly dialect: Dialect;
}

const operatorSurface: Surface = {
  base: OPERATOR_BASE,
  kind: 'operator',
  version: NEWEST_VERSION,
  dialect: neutralDialect,
};

/** Returns the base paths of a dialect. The operator's base path belongs to the neutral dialect. */
export function surfacesOf(dialect: Dialect): readonly Surface[] {
  const { legacy, dated = {}, versioned } = dialect.bases;
  return [
    { base: legacy, kind: 'legacy', version: LEGACY_VERSION, dialect },
    ...Object.entries(dated).map(([base, version]) => ({ base, kind: 'legacy' as const, version, dialect })),
    { base: versioned, kind: 'versioned', version: NEWEST_VERSION, dialect },
    ...(dialect === neutralDialect ? [operatorSurface] : []),
  ];
}

export type SurfaceFinder = (path: string) => Surface | undefined;

/** Returns a function that finds the surface of a requested path. */
export function surfaceFinder(dialects: readonly Dialect[]): SurfaceFinder {
  const surfaces = dialects.flatMap(surfacesOf).map((surface) => ({ surface, below: `${surface.base}/` }));
  return (path) =>
    surfaces.find(({ surface: { base }, below }) => path === base || path.startsWith(below))?.surface;
}

/** Whether an operation exists below the base path of a surface. */
export function existsIn(operation: AnyOperation, { kind, version }: Surface): boolean {
  if (operation.surface === 'operator' || kind === 'operator') return operation.surface === kind;
  return kind === 'versioned' || isInLegacy(operation, version);
}

/** Whether the surface serves the operation, so that links may point to it. */
export function isServedIn(operation: AnyOperation, surface: Surface): boolean {
  if (!existsIn(operation, surface)) return false;
  const version = versionAt(operation, surface.version);
  return version !== undefined && shapeIn(operation, version) !== undefined;
}
