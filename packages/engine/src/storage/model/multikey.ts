/**
 * For each part of an index, the depths in its path at which a document has an array. For the path `a.b`, 1 means that
 * `a` is an array, 2 that `a.b` is an array.
 */
export type MultikeyPaths = readonly ReadonlySet<number>[];

export function notMultikey(parts: number): MultikeyPaths {
  return Array.from({ length: parts }, () => new Set<number>());
}

export function isMultikey(paths: MultikeyPaths): boolean {
  return paths.some((depths) => depths.size > 0);
}

/** Returns the union of `known` and `more`, or `known` itself if `more` adds nothing. */
export function withPaths(known: MultikeyPaths, more: MultikeyPaths): MultikeyPaths {
  const adds = more.some((depths, i) => [...depths].some((depth) => known[i]?.has(depth) === false));
  if (!adds) return known;
  return known.map((depths, i) => new Set([...depths, ...(more[i] ?? [])].sort((a, b) => a - b)));
}

export function encodePaths(paths: MultikeyPaths): string {
  return isMultikey(paths) ? JSON.stringify(paths.map((depths) => [...depths])) : '';
}

export function decodePaths(text: string, parts: number): MultikeyPaths {
  if (text === '') return notMultikey(parts);
  return (JSON.parse(text) as number[][]).map((depths) => new Set(depths));
}
