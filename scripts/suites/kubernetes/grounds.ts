import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from '@portolan/test-support/kubernetes/api-server';
import type { Json } from '@portolan/test-support/kubernetes/fields';
import type { StoredObject } from '@portolan/test-support/kubernetes/objects';
import type { RealServer } from './api-server.ts';
import { type KubernetesPrograms, startPreparedServer } from './prepared.ts';

export type Disturbance = 'freeze' | 'kill' | 'restart';

/** An API server, emulated or real, that can be disturbed. */
export interface Ground extends AsyncDisposable {
  /** Path of the service's kubeconfig file. */
  readonly kubeconfig: string;
  /** All cluster resources. */
  resources(): Promise<readonly StoredObject[]>;
  secret(namespace: string, name: string): Promise<StoredObject | undefined>;
  setStatus(object: StoredObject, status: Json): Promise<void>;
  /** Changes a resource as another field manager. */
  change(object: StoredObject, change: Json, manager: string): Promise<void>;
  /** Removes the finalizers of a resource. */
  finish(object: StoredObject): Promise<void>;
  /** Freezes or ends the API server. */
  disturb(disturbance: Disturbance): Promise<void>;
  /** Ends the disturbance. After `restart`, watches cannot resume from versions before it. */
  recover(disturbance: Disturbance): Promise<void>;
}

export async function emulatedGround(): Promise<Ground> {
  const undo: (() => unknown)[] = [];
  const api = await startApiServer({ after: (run) => void undo.push(run) });
  return {
    kubeconfig: api.kubeconfig,
    resources: async () => api.resources(),
    secret: async (namespace, name) => api.secret(namespace, name),
    setStatus: async (object, status) => api.setStatus(object, status),
    change: async (object, change, manager) => api.change(object, change, manager),
    finish: async (object) => api.finish(object),
    disturb: async (disturbance) => (disturbance === 'freeze' ? api.freeze(true) : api.stop()),
    recover: async (disturbance) => {
      if (disturbance === 'freeze') return api.freeze(false);
      await api.start();
      if (disturbance === 'restart') api.compact();
    },
    [Symbol.asyncDispose]: async () => {
      for (const end of undo.toReversed()) await end();
    },
  };
}

export async function realGround(root: string, programs: KubernetesPrograms): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-kubernetes-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const server = await startPreparedServer(root, folder, programs).catch(async (error) => {
    await remove();
    throw error;
  });
  return {
    kubeconfig: join(server.kubeconfigs, 'service.json'),
    ...objectsOf(server),
    disturb: async (disturbance) => {
      if (disturbance === 'freeze') server.signal('SIGSTOP');
      else await server.end(disturbance === 'kill' ? 'SIGKILL' : 'SIGTERM');
    },
    recover: async (disturbance) => {
      if (disturbance === 'freeze') return server.signal('SIGCONT');
      if (disturbance === 'restart') await server.compact();
      await server.start();
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await remove();
    },
  };
}

type ObjectCalls = Pick<Ground, 'change' | 'finish' | 'resources' | 'secret' | 'setStatus'>;

function objectsOf(server: RealServer): ObjectCalls {
  const resources = '/apis/psmdb.percona.com/v1/perconaservermongodbs';
  const patch = async ({ metadata }: StoredObject, rest: string, change: object) => {
    const { namespace, name } = metadata;
    const path = `/apis/psmdb.percona.com/v1/namespaces/${namespace}/perconaservermongodbs/${name}${rest}`;
    const { status, body } = await server.call('PATCH', path, change);
    // The object can be gone since it was read.
    if (status !== 200 && status !== 404) throw new Error(`PATCH ${path}: ${status} ${body.message}`);
  };
  return {
    resources: async () => {
      const { status, body } = await server.call('GET', resources);
      if (status !== 200) throw new Error(`GET ${resources}: ${status} ${body.message}`);
      return (body.items ?? []) as readonly StoredObject[];
    },
    secret: async (namespace, name) => {
      const { status, body } = await server.call('GET', `/api/v1/namespaces/${namespace}/secrets/${name}`);
      return status === 200 ? (body as StoredObject) : undefined;
    },
    setStatus: (object, status) => patch(object, '/status?fieldManager=operator', { status }),
    change: (object, change, manager) => patch(object, `?fieldManager=${manager}`, change),
    finish: (object) => patch(object, '?fieldManager=operator', { metadata: { finalizers: null } }),
  };
}
