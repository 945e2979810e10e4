import type { Json } from './fields.ts';
import { checkNew, isSelected, listOfKinds, type Target, targetOf } from './kinds.ts';
import type { Objects } from './objects.ts';
import { Refused } from './refused.ts';

export interface Call {
  readonly method: string;
  readonly url: URL;
  readonly type: string;
  readonly body: Json;
}

/** Returns the reply to a request. Handles all requests except watches. */
export function replyTo(objects: Objects, { method, url, type, body }: Call): unknown {
  const list = listOfKinds(url.pathname);
  if (list !== undefined) return list;
  const target = targetOf(url.pathname);
  const { key, prefix } = target;
  const query = url.searchParams;
  if (method === 'GET' && key === undefined) {
    const items = objects
      .list(prefix)
      .filter((one) => isSelected(one, query.get('labelSelector') ?? ''))
      .slice(0, Number(query.get('limit') ?? '1000'));
    const metadata = { resourceVersion: String(objects.version) };
    return { kind: 'List', apiVersion: 'v1', metadata, items };
  }
  if (key === undefined) throw new Refused(405, 'MethodNotAllowed', `${method} is not allowed`);
  if (method === 'PATCH') return patched(objects, { ...target, key }, { type, body, query });
  if (method === 'DELETE') {
    objects.delete(key);
    return { kind: 'Status', apiVersion: 'v1', status: 'Success' };
  }
  const object = objects.find(key);
  if (object === undefined) throw new Refused(404, 'NotFound', `${key} not found`);
  return object;
}

interface Patch {
  readonly type: string;
  readonly body: Json;
  readonly query: URLSearchParams;
}

function patched(objects: Objects, target: Target & { readonly key: string }, { type, body, query }: Patch) {
  const { key, subresource } = target;
  const manager = query.get('fieldManager') ?? 'unknown';
  if (type === 'application/merge-patch+json') return objects.merge(key, body, { manager, subresource });
  if (type !== 'application/apply-patch+yaml') {
    throw new Refused(415, 'UnsupportedMediaType', `${type} is not supported`);
  }
  if (objects.find(key) === undefined) checkNew(objects, target);
  return objects.apply(key, body, manager, query.get('force') === 'true');
}
