import { capitalized } from './json.ts';

const parameter = /\{([^}]+)\}/g;

/** Names in braces, in order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(parameter)].map((match) => match[1] ?? '');
}

/**
 * One path for all that differ in the names of their parameters alone, which OpenAPI takes for the same path:
 * `/loads/{loadId}` and `/loads/{name}` become `/loads/{loadIdOrName}`.
 */
export function withoutTwins<T extends { readonly path: string }>(ones: readonly T[]): T[] {
  const byForm = Map.groupBy(ones, ({ path }) => path.replaceAll(parameter, '{}'));
  return [...byForm.values()].flatMap((twins) => {
    const path = joined(twins.map((one) => one.path));
    return twins.map((one) => ({ ...one, path }));
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
