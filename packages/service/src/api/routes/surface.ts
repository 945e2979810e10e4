import { LEGACY_BASE, OPERATOR_BASE, VERSIONED_BASE } from '../addresses.ts';
import type { AnyOperation } from '../operation.ts';
import { shapeIn, versionAt } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION } from '../versions.ts';

/** The base path by which an operation was reached. */
export type Surface = 'v1.0' | 'v2' | 'operator';

export const basePaths: Readonly<Record<Surface, string>> = {
  'v1.0': LEGACY_BASE,
  v2: VERSIONED_BASE,
  operator: OPERATOR_BASE,
};

export const surfaces: readonly Surface[] = ['v1.0', 'v2', 'operator'];

/** The surface that a path as it was requested belongs to. */
export function surfaceOf(path: string): Surface | undefined {
  return surfaces.find((surface) => path === basePaths[surface] || path.startsWith(`${basePaths[surface]}/`));
}

/** Whether an operation has a path below the base path of a surface. The legacy path knows the first shapes alone. */
export function existsIn(operation: AnyOperation, surface: Surface): boolean {
  if ((operation.surface ?? 'service') === 'operator') return surface === 'operator';
  if (surface === 'operator') return false;
  return surface === 'v2' || versionAt(operation, LEGACY_VERSION) !== undefined;
}

/** Whether a request by the surface's base path reaches it, so that links may point there. */
export function isServedIn(operation: AnyOperation, surface: Surface): boolean {
  if (!existsIn(operation, surface)) return false;
  const version = versionAt(operation, surface === 'v1.0' ? LEGACY_VERSION : NEWEST_VERSION);
  return version !== undefined && shapeIn(operation, version) !== undefined;
}
