/**
 * For each part of an index, the depths in its path at which a document has an array. For the path `a.b`, 1 means that
 * `a` is an array, 2 that `a.b` is an array. If a document has an array anywhere, a wildcard part has the depth 0.
 */
export type MultikeyPaths = readonly ReadonlySet<number>[];

/** The paths at which documents in a wildcard index have arrays; undefined if they are unknown. */
export type ArrayPaths = ReadonlySet<string> | undefined;

/** Where the documents in an index have arrays. */
export interface Arrays {
  readonly multikey: MultikeyPaths;
  /** Defined only for wildcard indexes. */
  readonly arrayPaths?: ArrayPaths;
}

/**
 * Limits of the recorded paths, whose whole list is stored again with each further path. Beyond them, any field may be
 * an array.
 */
const MAX_PATHS = 1_000;
const MAX_PATH_LENGTH = 1_000;

export function notMultikey(parts: number): MultikeyPaths {
  return Array.from({ length: parts }, () => new Set<number>());
}

export function isMultikey(paths: MultikeyPaths): boolean {
  return paths.some((depths) => depths.size > 0);
}

/** Returns the union of `known` and `more`, or `known` itself if `more` adds nothing. */
export function withArrays(known: Arrays, more: Arrays): Arrays {
  const multikey = withDepths(known.multikey, more.multikey);
  const arrayPaths = withArrayPaths(known.arrayPaths, more.arrayPaths ?? none);
  return multikey === known.multikey && arrayPaths === known.arrayPaths ? known : { multikey, arrayPaths };
}

const none: ReadonlySet<string> = new Set();

function withDepths(known: MultikeyPaths, more: MultikeyPaths): MultikeyPaths {
  const adds = more.some((depths, i) => [...depths].some((depth) => known[i]?.has(depth) === false));
  if (!adds) return known;
  return known.map((depths, i) => new Set([...depths, ...(more[i] ?? [])].sort((a, b) => a - b)));
}

function withArrayPaths(known: ArrayPaths, more: ReadonlySet<string>): ArrayPaths {
  const added = known === undefined ? [] : [...more].filter((path) => !known.has(path));
  if (known === undefined || added.length === 0) return known;
  const isLong = added.some((path) => path.length > MAX_PATH_LENGTH);
  return isLong || known.size + added.length > MAX_PATHS ? undefined : new Set([...known, ...added]);
}

/** Returns the depths at which documents in a wildcard index may have arrays on a path. */
export function depthsOn(path: string, { multikey, arrayPaths }: Arrays): ReadonlySet<number> {
  const depths = new Set<number>();
  if (!isMultikey(multikey)) return depths;
  const names = path.split('.');
  for (const depth of names.keys()) {
    if (arrayPaths?.has(names.slice(0, depth + 1).join('.')) !== false) depths.add(depth + 1);
  }
  return depths;
}

export function encodeArrays({ multikey, arrayPaths }: Arrays): string {
  if (!isMultikey(multikey)) return '';
  const depths = multikey.map((one) => [...one]);
  return JSON.stringify(arrayPaths === undefined ? depths : { depths, paths: [...arrayPaths] });
}

/** The stored form. Without `paths`, an index is not a wildcard index, or its paths are unknown. */
type Encoded = number[][] | { depths: number[][]; paths: string[] };

/** Decodes the arrays in an index with a number of parts. */
export function decodeArrays(text: string, parts: number): Arrays {
  if (text === '') return { multikey: notMultikey(parts), arrayPaths: none };
  const encoded: Encoded = JSON.parse(text);
  const depths = Array.isArray(encoded) ? encoded : encoded.depths;
  const multikey = depths.map((one) => new Set(one));
  return Array.isArray(encoded) ? { multikey } : { multikey, arrayPaths: new Set(encoded.paths) };
}
