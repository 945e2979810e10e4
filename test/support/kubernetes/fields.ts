/** Fields of objects, and the managers that own them. A list counts as one field, as in most resource definitions. */

export type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the paths of all fields, as JSON texts. */
export function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  if (!isObject(value)) return [JSON.stringify(path)];
  return Object.entries(value).flatMap(([name, below]) => pathsOf(below, [...path, name]));
}

export function valueAt(value: unknown, path: string): unknown {
  return (JSON.parse(path) as string[]).reduce<unknown>(
    (one, name) => (isObject(one) ? one[name] : undefined),
    value,
  );
}

/** Merges a change into an object. A null removes a field. */
export function merged(before: Json, change: Json): Json {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name];
    else
      after[name] = isObject(value)
        ? merged((isObject(after[name]) ? after[name] : {}) as Json, value)
        : value;
  }
  return after;
}

export function without(value: Json, path: string): Json {
  const [name = '', ...rest] = JSON.parse(path) as string[];
  const { [name]: below, ...others } = value;
  if (rest.length === 0 || !isObject(below)) return others;
  const left = without(below, JSON.stringify(rest));
  return Object.keys(left).length === 0 ? others : { ...others, [name]: left };
}

/** Returns paths in the form of `managedFields`: as a tree with a prefix before each name. */
export function treeOf(paths: Iterable<string>): Json {
  let tree: Json = {};
  for (const path of paths) {
    const names = JSON.parse(path) as string[];
    tree = merged(
      tree,
      names.reduceRight<Json>((below, name) => ({ [`f:${name}`]: below }), {}),
    );
  }
  return tree;
}
