import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import type { WantedAccess } from './accounts.ts';
import { kubernetesEngine } from './engine.ts';
import type { StoredCluster } from './parts.ts';
import type { KubernetesApi, KubernetesObject, WatchHandlers } from './port.ts';
import { testSettings, wantedCluster } from './testing.ts';
import type { ExportBucket, ResourceSettings } from './wanted.ts';

export const ID = wantedCluster.id;
export const stored: StoredCluster = {
  wanted: wantedCluster,
  isSettled: true,
  isDeleting: false,
  accessRevision: 0,
};
const isSelected = (labels: Readonly<Record<string, string>>, selector: string) =>
  selector.split(',').every((part) => {
    const [name = '', value] = part.split('=');
    return labels[name] === value;
  });

/**
 * Returns an engine with a simulated API in memory, which stores objects by kind and name. `refuse` makes requests
 * fail.
 */
export function opened(settings: Partial<ResourceSettings> = {}) {
  const machine = testClock();
  const objects = new Map<string, KubernetesObject>();
  const state = {
    stored: stored as StoredCluster | undefined,
    access: { revision: 0, users: [], known: [] } as WantedAccess,
    exportBuckets: [] as readonly ExportBucket[],
  };
  let failure: { readonly error: Error | undefined; readonly kind: string | undefined } | undefined;
  let handlers: WatchHandlers | undefined;
  let pruned: string | undefined;
  const answer = async <T>(kind: string, value: () => T): Promise<T> => {
    if (failure?.error !== undefined && (failure.kind ?? kind) === kind) throw failure.error;
    return value();
  };
  const keyOf = (kind: string, name: string) => `${kind}/${name}`;
  const api: KubernetesApi = {
    apply: (object) =>
      answer(object.kind ?? '', () => {
        const { kind = '', metadata = {} } = object;
        const key = keyOf(kind, metadata.name ?? '');
        const before = objects.get(key);
        const isSame = isDeepStrictEqual(before?.spec, object.spec);
        const generation = (before?.metadata?.generation ?? 0) + (isSame && before !== undefined ? 0 : 1);
        const kept = JSON.parse(
          JSON.stringify(object, (name, value) => (name === pruned ? undefined : value)),
        );
        const after = { ...before, ...kept, metadata: { ...metadata, generation, uid: 'u' } };
        objects.set(key, after);
        return after;
      }),
    get: (kind, _, name) => answer(kind, () => objects.get(keyOf(kind, name))),
    list: (kind, selector) =>
      answer(kind, () =>
        [...objects.values()].filter(
          ({ kind: own, metadata }) => own === kind && isSelected(metadata?.labels ?? {}, selector),
        ),
      ),
    delete: (kind, _, name) => answer(kind, () => void objects.delete(keyOf(kind, name))),
    watch(_, given) {
      handlers = given;
      given.connected?.();
      return { close: async () => {} };
    },
    close: () => {},
  };
  const changed: string[] = [];
  const engine = kubernetesEngine({
    ...{ api, machine, log: silentLog(), settings: { ...testSettings, ...settings } },
    clusters: {
      running: async () => [ID],
      find: async () => state.stored,
      access: async () => state.access,
      exportBuckets: async () => state.exportBuckets,
      recordUsers: async (_, names) => {
        const known = names.map((name) => ({ name, closed: `closed ${name}` }));
        state.access = { ...state.access, known };
      },
      changed: async (id) => void changed.push(id),
    },
  });
  const resource = () => {
    const found = objects.get('PerconaServerMongoDB/harbour-a1b2c3');
    assert.ok(found);
    return found;
  };
  /** Changes the resource as another client would, and reports the change to the watch. */
  const change = (update: Partial<KubernetesObject>) => {
    objects.set('PerconaServerMongoDB/harbour-a1b2c3', { ...resource(), ...update });
    handlers?.changed(resource());
  };
  return {
    ...{ engine, machine, objects, state, changed, resource, change },
    /** Makes the API drop this field, as if the definition of the resource lacked it. */
    prune: (name: string) => {
      pruned = name;
    },
    lose: (reason: string) => handlers?.lost(reason),
    /** Makes requests fail: those for objects of a kind, or all. */
    refuse: (error: Error | undefined, kind?: string) => {
      failure = { error, kind };
    },
  };
}
