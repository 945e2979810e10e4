import type { PlainObject } from '@portolan/foundation/plain-object';
import type { ManagedFields } from './port.ts';

/** A path of names within an object. */
export type FieldPath = readonly string[];

/**
 * Returns the paths of the fields of `wanted` that `found` lacks or has with other values. Other fields of `found`
 * are ignored, since they belong to other field managers. Lists are compared entry by entry.
 */
export function differences(wanted: unknown, found: unknown, path: FieldPath = []): FieldPath[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return [path];
    return wanted.flatMap((one, index) => differences(one, found[index], [...path, String(index)]));
  }
  if (isPlainObject(wanted)) {
    if (!isPlainObject(found)) return [path];
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(value, found[name], [...path, name]),
    );
  }
  return wanted === found ? [] : [path];
}

/** Returns a path as text, such as `spec.replsets[0].size`. */
export function pathText(path: FieldPath): string {
  return path.reduce((text, name) => {
    if (/^\d+$/.test(name)) return `${text}[${name}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/**
 * Returns the managers other than `own` that have one of these fields, according to the managed fields of an object.
 */
export function managersOf(
  paths: readonly FieldPath[],
  fields: readonly ManagedFields[],
  own: string,
): readonly string[] {
  const others = fields.filter(({ manager, subresource }) => manager !== own && subresource === undefined);
  const found = others.filter(({ fieldsV1 }) => paths.some((path) => manages(fieldsV1, path)));
  return [...new Set(found.flatMap(({ manager }) => manager ?? []))].sort();
}

/**
 * Returns whether a manager owns a field. `tree` contains its fields, with `f:` before each name. A list that it owns
 * as a whole is a leaf.
 */
function manages(tree: unknown, [name, ...rest]: FieldPath): boolean {
  if (!isPlainObject(tree)) return false;
  if (name === undefined || Object.keys(tree).length === 0) return true;
  const below = tree[`f:${name}`];
  return below !== undefined && manages(below, rest);
}

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
