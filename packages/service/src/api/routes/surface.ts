import { LEGACY_BASE, OPERATOR_BASE, VERSIONED_BASE } from '../addresses.ts';
import type { AnyOperation } from '../operation.ts';
import { shapeIn, versionAt } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION } from '../versions.ts';

/** The base path of a request. */
export type Surface = 'v1.0' | 'v2' | 'operator';

export const basePaths: Readonly<Record<Surface, string>> = {
  'v1.0': LEGACY_BASE,
  v2: VERSIONED_BASE,
  operator: OPERATOR_BASE,
};

export const surfaces: readonly Surface[] = ['v1.0', 'v2', 'operator'];

/** The surface of a requested path. */
export function surfaceOf(path: string): Surface | undefined {
  return surfaces.find((surface) => path === basePaths[surface] || path.startsWith(`${basePaths[surface]}/`));
}

/**
 * Whether an operation exists below the base path of a surface. The legacy path has only operations of the
 * first version.
 */
export function existsIn(operation: AnyOperation, surface: Surface): boolean {
  if ((operation.surface ?? 'service') === 'operator') return surface === 'operator';
  if (surface === 'operator') return false;
  return surface === 'v2' || versionAt(operation, LEGACY_VERSION) !== undefined;
}

/** Whether the surface serves the operation, so that links may point to it. */
export function isServedIn(operation: AnyOperation, surface: Surface): boolean {
  if (!existsIn(operation, surface)) return false;
  const version = versionAt(operation, surface === 'v1.0' ? LEGACY_VERSION : NEWEST_VERSION);
  return version !== undefined && shapeIn(operation, version) !== undefined;
}
