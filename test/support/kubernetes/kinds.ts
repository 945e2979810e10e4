import type { Json } from './fields.ts';
import type { Objects, StoredObject } from './objects.ts';
import { Refused } from './refused.ts';

/** Paths of requests, and the kinds of objects that the emulator stores. */

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const CORE = '/api/v1';
const GROUP = '/apis/psmdb.percona.com/v1';

const kinds: Readonly<Record<string, Kind>> = {
  namespaces: { group: CORE, kind: 'Namespace', namespaced: false },
  secrets: { group: CORE, kind: 'Secret', namespaced: true },
  services: { group: CORE, kind: 'Service', namespaced: true },
  perconaservermongodbs: { group: GROUP, kind: 'PerconaServerMongoDB', namespaced: true },
  perconaservermongodbbackups: { group: GROUP, kind: 'PerconaServerMongoDBBackup', namespaced: true },
  perconaservermongodbrestores: { group: GROUP, kind: 'PerconaServerMongoDBRestore', namespaced: true },
};

/** Returns the key of an object in a namespace. */
export function keyOf({ kind, metadata }: StoredObject): string {
  const [plural] = Object.entries(kinds).find(([, one]) => one.kind === kind) ?? [];
  return `${plural}/${metadata.namespace}/${metadata.name}`;
}

/** The target of a path: a collection, an object or the status of an object. */
export interface Target {
  readonly plural: string;
  /** Prefix of the keys of the collection's objects. */
  readonly prefix: string;
  /** The key of the object; absent for a collection. */
  readonly key?: string;
  readonly name: string;
  readonly subresource: string;
}

/**
 * Returns the target of a path. For example, `/api/v1/namespaces/N/services/S` has the key `services/N/S`, and the
 * namespace `N` has the key `namespaces/N`.
 */
export function targetOf(path: string): Target {
  const group = path.startsWith(`${GROUP}/`) ? GROUP : CORE;
  const parts = path.slice(group.length + 1).split('/');
  const isInNamespace = parts[0] === 'namespaces' && parts.length > 2;
  const [plural = '', name = '', subresource = ''] = isInNamespace ? parts.slice(2) : parts;
  if (kinds[plural]?.group !== group) {
    throw new Refused(404, 'NotFound', 'the server could not find the requested resource');
  }
  const prefix = isInNamespace ? `${plural}/${parts[1]}/` : `${plural}/`;
  return { plural, prefix, name, subresource, ...(name === '' ? {} : { key: `${prefix}${name}` }) };
}

/** Returns the list of the kinds of a group; undefined if the path is not that of a group. */
export function listOfKinds(path: string): Json | undefined {
  if (path !== CORE && path !== GROUP) return undefined;
  const resources = Object.entries(kinds)
    .filter(([, { group }]) => group === path)
    .map(([name, { kind, namespaced }]) => ({ name, kind, namespaced, singularName: '', verbs: [] }));
  return { kind: 'APIResourceList', groupVersion: path.replace(/^\/apis?\//, ''), resources };
}

/** Checks an object as the API does before it stores it. */
export function checkNew(objects: Objects, { plural, prefix, name }: Target): void {
  const [, namespace] = prefix.split('/');
  if (kinds[plural]?.namespaced && objects.find(`namespaces/${namespace}`) === undefined) {
    throw new Refused(404, 'NotFound', `namespaces "${namespace}" not found`);
  }
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) {
    throw new Refused(422, 'Invalid', `"${name}" is invalid: metadata.name: Invalid value: "${name}"`);
  }
}

/** Whether an object has the labels of a selector such as `side=east,deck=2`. */
export function isSelected({ metadata }: StoredObject, selector: string): boolean {
  return selector
    .split(',')
    .filter((part) => part !== '')
    .every((part) => metadata.labels?.[part.split('=')[0] ?? ''] === part.split('=')[1]);
}
