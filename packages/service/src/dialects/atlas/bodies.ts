import { isPlainObject } from '../../api/schema/json-schema.ts';

/** Converts bodies of the vendor's clients, which send every field of a type, to what operations accept. */

/** Resources of actions on the cluster come with an empty database and collection. */
export function withoutEmptyNamespaces(body: unknown): unknown {
  return changed(body, 'actions', (action) =>
    changed(action, 'resources', (resource) =>
      isPlainObject(resource) && resource.cluster === true && resource.db === '' && resource.collection === ''
        ? { cluster: true }
        : resource,
    ),
  );
}

/** The same document with each item of one of its lists changed. */
function changed(document: unknown, list: string, change: (item: unknown) => unknown): unknown {
  if (!isPlainObject(document)) return document;
  const items = document[list];
  return Array.isArray(items) ? { ...document, [list]: items.map(change) } : document;
}
