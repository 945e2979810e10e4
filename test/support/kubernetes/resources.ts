import { until } from '../expect.ts';
import type { ApiServer } from './api-server.ts';
import type { StoredObject } from './objects.ts';

/** Waits until the resource of a cluster fulfils a condition, and returns it. */
export function resourceOf(
  api: ApiServer,
  name: string,
  holds: (object: StoredObject) => boolean = () => true,
) {
  const find = async () =>
    api
      .resources()
      .find(
        ({ metadata }) => (metadata.annotations as { 'portolan/name'?: string })['portolan/name'] === name,
      );
  return until(
    `the resource of ${name}`,
    find,
    (object) => object !== undefined && holds(object),
  ) as Promise<StoredObject>;
}

/** Returns the status of a resource whose servers run. */
export function readyStatus({ metadata: { name, namespace, generation } }: StoredObject) {
  const host = `${name}-rs0.${namespace}.svc.cluster.local`;
  const counts = { size: 3, ready: 3 };
  return {
    ...{ state: 'ready', observedGeneration: generation, host, mongoVersion: '8.0.19-7', ...counts },
    replsets: {
      rs0: {
        ...{ ...counts, status: 'ready', initialized: true },
        members: { [`${name}-rs0-0`]: { stateStr: 'PRIMARY' } },
      },
    },
  };
}

/** Reports a resource as ready, as the operator does. */
export function ready(api: ApiServer, object: StoredObject, change: object = {}): void {
  api.setStatus(object, { ...readyStatus(object), ...change });
}
