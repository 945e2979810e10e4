import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { steps } from '../../bson/turns.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { isKeyword } from '../analyzers.ts';
import { MAX_PATH } from '../mapping/embedded-documents.ts';
import { type FieldMapping, keys } from '../mapping/field.ts';
import { searchError } from './errors.ts';
import type { Searching } from './searching.ts';
import { Spec, wrong } from './spec.ts';

/** A path that an operator searches. */
export type SearchPath =
  | { readonly path: string; readonly multi?: string | undefined }
  | { readonly wildcard: string };

/** Reads one or several paths. A path with a wildcard or an alternative analyzer is written as a document. */
export function pathsOf(spec: Spec, field = 'path'): SearchPath[] {
  const value = spec.required(field);
  const name = spec.name(field);
  if (value.type !== bsonTypes.array) return [pathOf(value, name)];
  const all = documentOf(value).map((entry) => pathOf(entry, `${name}[${entry.name}]`));
  if (all.length === 0) throw searchError(`"${name}" cannot be empty`);
  return all;
}

function pathOf(value: Value, name: string): SearchPath {
  if (value.type === bsonTypes.string) return { path: textOf(value) };
  if (value.type !== bsonTypes.object) throw wrong(name, 'string, document, or array');
  const spec = Spec.of(value, name);
  const wildcard = spec.string('wildcard');
  const path = spec.string('value');
  const multi = spec.string('multi');
  spec.finish();
  if (wildcard !== undefined) {
    if (path !== undefined || multi !== undefined)
      throw searchError(`"${name}" cannot have both "wildcard" and "value"`);
    if (wildcard.includes('**'))
      throw searchError(`"${name}.wildcard" cannot contain two adjacent wildcard characters`);
    return { wildcard };
  }
  if (path === undefined) throw searchError(`one of "${name}.value", "${name}.wildcard" must be present`);
  return { path, multi };
}

/** Reads one path, which must be a string. */
export function plainPath(spec: Spec, field = 'path'): string {
  return spec.requiredString(field);
}

/** Reads one or several paths, which must be strings. */
export function plainPaths(spec: Spec, field = 'path'): string[] {
  return spec.strings(field);
}

/** The number of steps that looking up the field of a path adds to the cost of a search. */
const FIND = 32;

/** A text field at a path. */
export interface TextField {
  readonly path: string;
  /** The name of the field in segments. */
  readonly key: string;
  /** The mapping of the field; undefined if the field is not indexed as text. */
  readonly mapping: FieldMapping | undefined;
}

/** Returns the text fields at the paths. Throws if a field lacks the requested alternative analyzer. */
export function textFields(paths: readonly SearchPath[], search: Searching): TextField[] {
  return paths.flatMap((one) =>
    'wildcard' in one ? matching(one.wildcard, search) : [fieldAt(one, search)],
  );
}

function fieldAt(
  { path, multi }: { path: string; multi?: string | undefined },
  search: Searching,
): TextField {
  steps(FIND);
  const mapping = search.mapping(path, 'string');
  if (multi === undefined) return { path, key: keys.text(path), mapping };
  const own = mapping?.multi?.get(multi);
  if (own === undefined && search.plan !== undefined) {
    throw searchError(`Multi "${multi}" is not defined for field "${path}"`);
  }
  return { path, key: keys.text(path, multi), mapping: own };
}

function matching(wildcard: string, search: Searching): TextField[] {
  return pathsLike(wildcard, keys.text(''), search).map((path) => ({
    path,
    key: keys.text(path),
    mapping: search.mapping(path, 'string'),
  }));
}

/**
 * In the worst case, the time of finding a text in another grows with the product of their lengths. Such a product takes
 * as long as one step.
 */
const PRODUCT_PER_STEP = 4_096;

/** The approximate memory of a path that a wildcard matches, besides its characters, in bytes. */
const PATH_BYTES = 500;

/** Returns the paths that match a wildcard and have a field with the prefix. */
export function pathsLike(wildcard: string, prefix: string, search: Searching): string[] {
  const found = new Set<string>();
  for (const segment of search.segments) {
    for (const key of segment.fields(prefix)) {
      const path = key.slice(prefix.length);
      if (path.length > MAX_PATH || !key.startsWith(prefix) || key.includes('\0')) continue;
      steps((wildcard.length * path.length) / PRODUCT_PER_STEP);
      if (found.has(path) || !wildcardMatches(wildcard, path)) continue;
      search.hold(PATH_BYTES + 4 * path.length);
      found.add(path);
    }
  }
  return [...found];
}

/**
 * True if a path contains the pieces between the stars of a wildcard in order. Taking the first occurrence of each
 * piece is sufficient and takes linear time; a regular expression could try all combinations.
 */
export function wildcardMatches(wildcard: string, path: string): boolean {
  const pieces = wildcard.split('*');
  const first = pieces.shift() as string;
  const last = pieces.pop();
  if (last === undefined) return path === first;
  const end = path.length - last.length;
  // No more can be found in the path. This also limits the time of finding a long piece.
  if (wildcard.length - pieces.length - 1 > path.length) return false;
  if (!path.startsWith(first) || !path.endsWith(last) || end < first.length) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/**
 * Throws unless each field has one term per string, because operators on whole terms require this. With `allowed`,
 * accepts other fields as well.
 */
export function checkUnanalyzed(
  fields: readonly TextField[],
  allowed: boolean,
  at: string,
  search: Searching,
): void {
  if (allowed || search.plan === undefined) return;
  for (const { path, mapping } of fields) {
    if (isKeyword(mapping?.analyzer)) continue;
    throw searchError(
      `"${at}" on analyzed field "${path}" requires "allowAnalyzedField" to be true, or the field to be indexed with lucene.keyword`,
    );
  }
}

/** Throws if the field stores no positions. */
export function requirePositions({ path, mapping }: Pick<TextField, 'mapping' | 'path'>): void {
  if (mapping?.positions !== false) return;
  throw searchError(`"${path}" requires "indexOptions" to be positions or offsets`);
}
