import { LEGACY_BASE, OPERATOR_BASE, VERSIONED_BASE } from '../addresses.ts';
import type { AnyOperation } from '../operation.ts';
import { shapeIn, versionAt } from '../shapes.ts';
import { LEGACY_VERSION, NEWEST_VERSION } from '../versions.ts';

/** The base path by which an operation was reached. */
export type Family = 'v1.0' | 'v2' | 'operator';

export const basePaths: Readonly<Record<Family, string>> = {
  'v1.0': LEGACY_BASE,
  v2: VERSIONED_BASE,
  operator: OPERATOR_BASE,
};

export const families: readonly Family[] = ['v1.0', 'v2', 'operator'];

/** The family that a path as it was requested belongs to. */
export function familyOf(path: string): Family | undefined {
  return families.find((family) => path === basePaths[family] || path.startsWith(`${basePaths[family]}/`));
}

/** Whether an operation has a path below the base path of a family. The legacy path knows the first shapes alone. */
export function existsIn(operation: AnyOperation, family: Family): boolean {
  if ((operation.family ?? 'service') === 'operator') return family === 'operator';
  if (family === 'operator') return false;
  return family === 'v2' || versionAt(operation, LEGACY_VERSION) !== undefined;
}

/** Whether a request by the family's base path reaches it, so that links may point there. */
export function isServedIn(operation: AnyOperation, family: Family): boolean {
  if (!existsIn(operation, family)) return false;
  const version = versionAt(operation, family === 'v1.0' ? LEGACY_VERSION : NEWEST_VERSION);
  return version !== undefined && shapeIn(operation, version) !== undefined;
}
