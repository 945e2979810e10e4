import assert from 'node:assert/strict';
import { until } from '../expect.ts';
import { idIn } from '../stage.ts';
import type { Json } from './fields.ts';
import type { Ground } from './ground.ts';
import type { StoredObject } from './objects.ts';
import { readyStatus } from './resources.ts';

const GROUP = '/apis/psmdb.percona.com/v1';

const plurals = {
  cluster: 'perconaservermongodbs',
  snapshot: 'perconaservermongodbbackups',
  restore: 'perconaservermongodbrestores',
} as const;

type Kind = keyof typeof plurals;

/**
 * Does what the operator does with the resources of a service, as far as this is visible to the service: it writes their
 * statuses and removes their finalizers. Works with the emulated API server and with a real one.
 */
export interface PlayedOperator {
  /** Waits until the resource of the only cluster of a project fulfils a condition, and returns it. */
  cluster(project: string, holds?: (object: StoredObject) => boolean): Promise<StoredObject>;
  /** Waits for the resource of a snapshot or restore. */
  job(kind: 'snapshot' | 'restore', id: string): Promise<StoredObject>;
  secret(namespace: string, name: string): Promise<Readonly<Record<string, string>>>;
  /** Reports the resource of a cluster as ready. */
  ready(object: StoredObject, change?: Json): Promise<void>;
  /** Reports the end of a snapshot or restore. */
  end(kind: 'snapshot' | 'restore', id: string, status: Json): Promise<void>;
  /** Removes the finalizers of a resource, as the operator does after it has ended the nodes. */
  finish(object: StoredObject): Promise<void>;
}

export function playedOperator({ call }: Ground): PlayedOperator {
  async function sent(method: string, path: string, body?: object) {
    const reply = await call(method, path, body);
    assert.equal(reply.status, 200, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async function find(kind: Kind, fits: (object: StoredObject) => boolean) {
    const { items = [] } = await sent('GET', `${GROUP}/${plurals[kind]}`);
    return (items as readonly StoredObject[]).find(fits);
  }

  const wait = (kind: Kind, what: string, fits: (object: StoredObject) => boolean) =>
    until(
      `the resource of ${what}`,
      () => find(kind, fits),
      (object) => object !== undefined,
    ) as Promise<StoredObject>;

  const pathOf = (kind: Kind, { metadata: { namespace, name } }: StoredObject) =>
    `${GROUP}/namespaces/${namespace}/${plurals[kind]}/${name}`;

  const report = async (kind: Kind, object: StoredObject, status: Json) =>
    void (await sent('PATCH', `${pathOf(kind, object)}/status?fieldManager=operator`, { status }));

  const job = (kind: 'snapshot' | 'restore', id: string) =>
    wait(kind, id, ({ metadata }) => metadata.name === `${kind}-${id}`);

  return {
    job,
    cluster: (project, holds = () => true) =>
      wait(
        'cluster',
        project,
        (object) => object.metadata.namespace === `portolan-${idIn(project)}` && holds(object),
      ),
    async secret(namespace, name) {
      const { data } = (await sent('GET', `/api/v1/namespaces/${namespace}/secrets/${name}`)) as {
        readonly data?: Readonly<Record<string, string>>;
      };
      const text = (value: string) => Buffer.from(value, 'base64').toString();
      return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, text(value)]));
    },
    ready: (object, change = {}) => report('cluster', object, { ...readyStatus(object), ...change }),
    end: async (kind, id, status) => report(kind, await job(kind, id), status),
    finish: async (object) => {
      const path = `${pathOf('cluster', object)}?fieldManager=operator`;
      await sent('PATCH', path, { metadata: { finalizers: [] } });
    },
  };
}
