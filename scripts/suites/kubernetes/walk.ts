import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { RunningService } from '../../parity/service.ts';
import type { RealObject, RealServer } from './api-server.ts';

const LIMIT_MS = 120_000;
const STEP_MS = 250;
const GROUP = '/apis/psmdb.percona.com/v1';

/** The steps of a cluster from its creation to its deletion, on a service whose clusters run on a real API server. */
export class Walk {
  readonly #service: RunningService;
  readonly #server: RealServer;
  #project = '';
  #path = '';

  constructor(service: RunningService, server: RealServer) {
    this.#service = service;
    this.#server = server;
  }

  /** Creates a cluster, and waits until its resource exists. */
  async create(): Promise<RealObject> {
    const { orgId } = this.#service;
    this.#project = `/groups/${(await this.#send('POST', '/groups', { name: 'walk', orgId })).id}`;
    await this.#send('POST', `${this.#project}/clusters`, bodyOf('M10'));
    const resource = await until('the resource', () => this.#resources());
    this.#path = `${GROUP}/namespaces/${resource.metadata?.namespace}/perconaservermongodbs/${resource.metadata?.name}`;
    assert.equal((await this.#cluster()).stateName, 'CREATING');
    console.log(`ok  a new cluster is the resource ${resource.metadata?.name}, and is CREATING`);
    return resource;
  }

  /** Waits until the operator has created the StatefulSet of the resource, and has reported a state. */
  async made(): Promise<void> {
    const { metadata } = await this.resource();
    const path = `/apis/apps/v1/namespaces/${metadata?.namespace}/statefulsets/${metadata?.name}-rs0`;
    await until('the StatefulSet', async () => {
      const { status, body } = await this.#server.call('GET', path);
      return status === 200 ? body : undefined;
    });
    const state = await until('the state of the operator', async () => (await this.resource()).status?.state);
    console.log(`ok  the operator has made the StatefulSet ${metadata?.name}-rs0, and reports ${state}`);
    assert.equal((await this.#cluster()).stateName, 'CREATING');
  }

  async becomesReady(): Promise<void> {
    await this.#report({ state: 'ready' });
    await this.#reaches('IDLE');
    console.log('ok  the cluster is IDLE when the status of the resource is ready');
  }

  /** Changes the size of the cluster, and pauses it. */
  async change(): Promise<void> {
    const before = (await this.resource()).metadata?.generation ?? 0;
    await this.#send('PATCH', `${this.#project}/clusters/walk`, bodyOf('M30'));
    const isNew = async () => {
      const resource = await this.resource();
      return (resource.metadata?.generation ?? 0) > before ? resource : undefined;
    };
    const { spec } = await until('a new generation', isNew);
    assert.match(JSON.stringify(spec?.replsets), /"memory":"8192Mi"/);
    await this.#report({ state: 'ready' });
    await this.#reaches('IDLE');
    await this.#send('PATCH', `${this.#project}/clusters/walk`, { paused: true });
    await until('the pause', async () => (await this.resource()).spec?.pause === true || undefined);
    await this.#report({ state: 'paused' });
    await this.#reaches('IDLE');
    console.log('ok  a change of the size and a pause change the resource');
  }

  /** Changes the resource as another field manager, and checks that the service writes its own fields again. */
  async interfere(): Promise<void> {
    const change = { spec: { pause: false, updateStrategy: 'OnDelete' } };
    const { status } = await this.#server.call('PATCH', `${this.#path}?fieldManager=editor`, change);
    assert.equal(status, 200);
    await until('the pause', async () => (await this.resource()).spec?.pause === true || undefined);
    assert.equal((await this.resource()).spec?.updateStrategy, 'OnDelete');
    const { results } = await this.#send('GET', `${this.#project}/events?itemsPerPage=500`);
    const event = (results as { eventTypeName: string; reason?: string }[]).find(
      ({ eventTypeName }) => eventTypeName === 'CLUSTER_RESOURCE_CHANGED',
    );
    assert.equal(event?.reason, 'editor changed spec.pause');
    console.log('ok  a change by another manager is an event and is put back; its own fields stay');
  }

  async remove(): Promise<void> {
    await this.#report({ state: 'paused' });
    await this.#reaches('IDLE');
    await this.#send('DELETE', `${this.#project}/clusters/walk`);
    const isDeleting = async () => JSON.stringify(await this.resource()).includes('deletionTimestamp');
    await until('the deletion', async () => (await isDeleting()) || undefined);
    await this.#server.call('PATCH', this.#path, { metadata: { finalizers: null } });
    const isGone = async () => (await this.#answer('GET', `${this.#project}/clusters/walk`)).status === 404;
    await until('the end of the cluster', async () => (await isGone()) || undefined);
    console.log('ok  a deleted cluster ends when the finalizers are removed');
  }

  async resource(): Promise<RealObject> {
    return (await this.#server.call('GET', this.#path)).body;
  }

  async #resources(): Promise<RealObject | undefined> {
    const { body } = await this.#server.call('GET', `${GROUP}/perconaservermongodbs`);
    return body.items?.find(({ metadata }) => metadata?.name.startsWith('walk-'));
  }

  /** Writes the status of the resource, as the operator would. */
  async #report(change: object): Promise<void> {
    const { metadata } = await this.resource();
    const host = `${metadata?.name}-rs0.${metadata?.namespace}.svc.cluster.local`;
    const counts = { size: 3, ready: 3 };
    const state = { observedGeneration: metadata?.generation, host, mongoVersion: '8.0.19-7', ...counts };
    const replsets = { rs0: { ...counts, status: 'ready', initialized: true } };
    const status = { ...state, replsets, ...change };
    const reply = await this.#server.call('PATCH', `${this.#path}/status?fieldManager=suite`, { status });
    assert.equal(reply.status, 200, reply.body.message);
  }

  async #reaches(state: string): Promise<void> {
    await until(state, async () => (await this.#cluster()).stateName === state || undefined);
  }

  #cluster(): Promise<Record<string, unknown>> {
    return this.#send('GET', `${this.#project}/clusters/walk`);
  }

  #answer(method: string, path: string, body?: unknown) {
    return this.#service.send(method, path, '2024-10-23', body);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await this.#answer(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return (answer.body ?? {}) as Record<string, unknown>;
  }
}

function bodyOf(instanceSize: string) {
  const regionConfig = {
    ...{ providerName: 'AWS', regionName: 'US_EAST_1', priority: 7 },
    electableSpecs: { instanceSize, nodeCount: 3 },
  };
  return {
    ...{ name: 'walk', clusterType: 'REPLICASET' },
    replicationSpecs: [{ regionConfigs: [regionConfig] }],
  };
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < LIMIT_MS; waited += STEP_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await setTimeout(STEP_MS);
  }
  throw new Error(`${what} did not appear within ${LIMIT_MS / 1000} seconds`);
}
