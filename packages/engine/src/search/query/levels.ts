import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { searchError } from './errors.ts';
import type { Level } from './operator.ts';
import type { Spec } from './spec.ts';

/** Operators that contain operators, or that search documents at another level. They check the paths themselves. */
const outer: ReadonlySet<string> = new Set(['compound', 'embeddedDocument', 'hasAncestor', 'hasRoot']);

/**
 * Throws if an operator on embedded documents searches a path outside of them, or computes scores from such a path.
 * `embeddedDocument`, `hasAncestor` and `returnScope` set the level.
 */
export function checkPaths(name: string, spec: Spec, { within, source }: Level): void {
  if (within === undefined) return;
  if (!outer.has(name)) {
    for (const path of pathsIn(spec, name)) {
      if (isInside(path, within)) continue;
      throw searchError(`${name} operator path '${path}' must be a descendant of ${source} '${within}'`);
    }
  }
  const score = spec.value('score');
  for (const path of score === undefined ? [] : scorePaths(score)) {
    if (isInside(path, within)) continue;
    throw searchError(
      `${name} operator score path expression '${path}' must be a descendant of ${source} '${within}'`,
    );
  }
}

export function isInside(path: string, within: string): boolean {
  return path.startsWith(`${within}.`);
}

function pathsIn(spec: Spec, name: string): string[] {
  if (name === 'span') return scorePaths(spec.doc.toValue());
  const value = spec.doc.get(name === 'queryString' ? 'defaultPath' : 'path');
  if (value === undefined) return [];
  if (value.type !== bsonTypes.array) return pathOf(value);
  const paths: string[] = [];
  for (const entry of documentOf(value)) paths.push(...pathOf(entry));
  return paths;
}

/** Returns the path in a value: a string, or a document with the field `value` or `wildcard`. */
function pathOf(value: Value): string[] {
  if (value.type === bsonTypes.string) return [textOf(value)];
  if (value.type !== bsonTypes.object) return [];
  const doc = documentOf(value);
  const path = doc.string('value') ?? doc.string('wildcard');
  return path === undefined ? [] : [path];
}

/** Returns the paths in all fields named `path`, at any depth of a document. */
function scorePaths(value: Value): string[] {
  if (value.type !== bsonTypes.object && value.type !== bsonTypes.array) return [];
  const paths: string[] = [];
  for (const element of documentOf(value)) {
    const inner = element.name === 'path' ? pathOf(element) : scorePaths(element);
    for (const path of inner) paths.push(path);
  }
  return paths;
}
