import { capitalized } from './json.ts';

const parameter = /\{([^}]+)\}/g;

/** Returns the names in braces, in their order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(parameter)].map((match) => match[1] ?? '');
}

/**
 * Merges paths that differ in parameter names only, which OpenAPI treats as the same path: `/loads/{loadId}`
 * and `/loads/{name}` become `/loads/{loadIdOrName}`.
 */
export function mergeEquivalentPaths<T extends { readonly path: string }>(ones: readonly T[]): T[] {
  const byForm = Map.groupBy(ones, ({ path }) => path.replaceAll(parameter, '{}'));
  return [...byForm.values()].flatMap((ones) => {
    const path = joined(ones.map((one) => one.path));
    return ones.map((one) => ({ ...one, path }));
  });
}

function joined(paths: readonly string[]): string {
  const names = paths.map(namesIn);
  let place = 0;
  return (paths[0] ?? '').replaceAll(parameter, () => {
    const [first = '', ...others] = [...new Set(names.map((each) => each[place] ?? ''))].sort();
    place++;
    return `{${[first, ...others.map(capitalized)].join('Or')}}`;
  });
}
