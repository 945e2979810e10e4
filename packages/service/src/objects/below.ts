import type { ObjectStore } from './object-store.ts';

/** Returns a view of the objects whose keys begin with a prefix. The prefix ends with a slash. */
export function below(objects: ObjectStore, prefix: string): ObjectStore {
  const { tidy } = objects;
  return {
    ...(tidy && { tidy: (within: string) => tidy(prefix + within) }),
    put: (key, content) => objects.put(prefix + key, content),
    get: (key) => objects.get(prefix + key),
    list: (within) => objects.list(prefix + within),
    delete: (keys) => objects.delete(keys.map((key) => prefix + key)),
  };
}
