import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { machineClock } from '@portolan/foundation/clock';
import { repeat } from '@portolan/foundation/repeat';
import type { StoredObject } from '@portolan/test-support/kubernetes/objects';
import { type RunningService, startService } from '../../parity/service.ts';
import { until } from '../adopted/until.ts';
import type { Disturbance, Ground } from './grounds.ts';

const VERSION = '2024-10-23';
const CLOSED = 'portolan-closed';
const OPERATOR_MS = 150;

type Body = Record<string, unknown>;
const disturbances: readonly Disturbance[] = ['kill', 'freeze', 'restart'];

/**
 * Runs a service whose clusters are resources of an API server. In each round, kills, freezes or restarts the API server
 * while clusters and users are created, changed and deleted. Afterwards, nothing may be half done or done twice. Throws
 * at the first difference.
 */
export async function disturbApiServer(root: string, rounds: number, ground: Ground): Promise<void> {
  const operator = new Operator(ground);
  try {
    const options = ['--engine', 'kubernetes', '--kubeconfig', ground.kubeconfig];
    await using service = await startService(root, options);
    const run = new Rounds(service, ground, operator);
    try {
      await run.begin();
      for (let round = 1; round <= rounds; round++) console.log(await run.play(round));
    } catch (error) {
      console.log(JSON.stringify((await service.operator('GET', '/tasks')).body, undefined, 2));
      console.log(JSON.stringify(await ground.resources(), undefined, 2));
      throw error;
    }
  } finally {
    await operator.stop();
  }
}

/** Writes statuses and removes finalizers, as the operator does. */
class Operator {
  readonly #ground: Ground;
  readonly #work: { stop(): Promise<void> };
  /** The operator does not reach an API server that is away. */
  isAway = false;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#work = repeat({
      machine: machineClock(),
      run: () => this.#reconcile(),
      interval: () => OPERATOR_MS,
      onError: (error) => {
        if (!this.isAway) console.log(error);
      },
    });
  }

  stop(): Promise<void> {
    return this.#work.stop();
  }

  async #reconcile(): Promise<void> {
    if (this.isAway) return;
    for (const object of await this.#ground.resources()) {
      const { deletionTimestamp, generation } = object.metadata;
      if (deletionTimestamp !== undefined) await this.#ground.finish(object);
      else if (object.status?.observedGeneration !== generation) await this.#report(object);
    }
  }

  #report(object: StoredObject): Promise<void> {
    const { name, namespace, generation } = object.metadata;
    return this.#ground.setStatus(object, {
      ...{ state: object.spec?.pause === true ? 'paused' : 'ready', observedGeneration: generation },
      ...{ host: `${name}-rs0.${namespace}.svc.cluster.local`, mongoVersion: '8.0.19-7' },
      ...{ size: 3, ready: 3 },
      replsets: { rs0: { size: 3, ready: 3, members: { [`${name}-rs0-0`]: { stateStr: 'PRIMARY' } } } },
    });
  }
}

interface UserEntry {
  readonly name: string;
  readonly passwordSecretRef: { readonly name: string; readonly key: string };
  readonly roles: readonly { readonly name: string }[];
}

class Rounds {
  readonly #service: RunningService;
  readonly #ground: Ground;
  readonly #operator: Operator;
  /** The memory and the pause that the resource of each cluster must have. */
  readonly #clusters = new Map<string, { readonly memory: string; readonly pause: boolean }>();
  /** The unique id of each resource, which must not change. */
  readonly #uids = new Map<string, string>();
  readonly #passwords = new Map<string, string>();
  #project = '';

  constructor(service: RunningService, ground: Ground, operator: Operator) {
    this.#service = service;
    this.#ground = ground;
    this.#operator = operator;
  }

  async begin(): Promise<void> {
    const { orgId } = this.#service;
    this.#project = `/groups/${(await this.#send('POST', '/groups', { name: 'rounds', orgId })).id}`;
    await this.#create('anchor');
    await this.#reaches('anchor', 'IDLE');
  }

  /** Plays one round. Returns a line of the report. */
  async play(round: number): Promise<string> {
    const shift = Math.floor(round / disturbances.length);
    const disturbance = disturbances[(round + shift) % disturbances.length] ?? 'kill';
    await this.#change(round);
    await setTimeout((round * 170) % 1_200);
    const isNoticed = await this.#disturb(disturbance, round);
    await this.#settle(round);
    await this.#check(round);
    return `ok  round ${round}: ${disturbance}${isNoticed ? ', which the service noticed' : ''}`;
  }

  /** Creates a cluster, and changes, pauses and deletes other clusters. Also changes users. */
  async #change(round: number): Promise<void> {
    await this.#create(`c-${round}`);
    if (this.#clusters.has(`c-${round - 1}`)) {
      await this.#send('PATCH', this.#path(`c-${round - 1}`), sizeOf('M30'));
      this.#clusters.set(`c-${round - 1}`, { memory: '8192Mi', pause: false });
    }
    if (this.#clusters.has(`c-${round - 2}`)) {
      await this.#send('PATCH', this.#path(`c-${round - 2}`), { paused: true });
      this.#clusters.set(`c-${round - 2}`, { memory: '8192Mi', pause: true });
    }
    if (this.#clusters.delete(`c-${round - 3}`)) await this.#send('DELETE', this.#path(`c-${round - 3}`));
    await this.#changeUsers(round);
    await this.#ground.change(await this.#resourceOf('anchor'), { spec: { pause: true } }, 'editor');
  }

  async #create(name: string): Promise<void> {
    const body = { name, clusterType: 'REPLICASET', ...sizeOf('M10') };
    await this.#send('POST', `${this.#project}/clusters`, body);
    this.#clusters.set(name, { memory: '2048Mi', pause: false });
  }

  async #changeUsers(round: number): Promise<void> {
    const users = `${this.#project}/databaseUsers`;
    const password = `the log of round ${round}`;
    const roles = [{ roleName: 'read', databaseName: 'harbour' }];
    const username = `sailor-${round}`;
    await this.#send('POST', users, { username, password, databaseName: 'admin', roles });
    this.#passwords.set(username, password);
    const [oldest] = this.#passwords.keys();
    if (oldest === undefined || this.#passwords.size < 4) return;
    const next = [...this.#passwords.keys()][1] ?? '';
    await this.#send('DELETE', `${users}/admin/${oldest}`);
    this.#passwords.delete(oldest);
    await this.#send('PATCH', `${users}/admin/${next}`, { password });
    this.#passwords.set(next, password);
  }

  /**
   * Disturbs the API server. In even rounds that kill it, keeps it away until the service notices this, and returns
   * true. In other rounds, does not wait for this.
   */
  async #disturb(disturbance: Disturbance, round: number): Promise<boolean> {
    const isNoticed = disturbance === 'kill' && round % 2 === 0;
    this.#operator.isAway = true;
    await this.#ground.disturb(disturbance);
    try {
      if (isNoticed) await this.#reaches('anchor', 'REPAIRING');
      await this.#changeUsers(round + 1_000);
    } finally {
      await this.#ground.recover(disturbance);
      this.#operator.isAway = false;
    }
    return isNoticed;
  }

  async #settle(round: number): Promise<void> {
    await until('the end of the deleted cluster', async () => {
      const { status } = await this.#answer('GET', this.#path(`c-${round - 3}`));
      return status === 404 ? true : undefined;
    });
    for (const [name, { pause }] of this.#clusters) {
      await this.#reaches(name, 'IDLE');
      // Servers that are paused get the users when they are resumed.
      if (!pause) await this.#applied(name);
    }
    await until(
      'the restored pause',
      async () => (await this.#resourceOf('anchor')).spec?.pause === false || undefined,
    );
  }

  /** Checks that there is one resource for each cluster, with its last changes, and nothing else. */
  async #check(round: number): Promise<void> {
    const names = (await this.#ground.resources()).map((object) => nameOf(object));
    assert.deepEqual(names.toSorted(), [...this.#clusters.keys()].toSorted());
    for (const [name, { memory, pause }] of this.#clusters) {
      const object = await this.#resourceOf(name);
      const [set] = (object.spec?.replsets ?? []) as { resources: { limits: { memory: string } } }[];
      assert.deepEqual([set?.resources.limits.memory, object.spec?.pause], [memory, pause], name);
      const uid = this.#uids.get(name) ?? object.metadata.uid;
      assert.equal(object.metadata.uid, uid, `the resource of ${name} was created again`);
      this.#uids.set(name, uid);
      // Paused servers get later changes of users when they are resumed.
      if (!pause) await this.#checkUsers(object);
      const { paused } = await this.#send('GET', this.#path(name));
      assert.equal(paused, pause);
    }
    const gone = this.#uids.has(`c-${round - 3}`) ? [`c-${round - 3}`] : [];
    for (const name of [...this.#clusters.keys(), ...gone])
      await this.#checkEvents(name, gone.includes(name));
  }

  async #checkUsers({ metadata, spec }: StoredObject): Promise<void> {
    const users = (spec?.users ?? []) as readonly UserEntry[];
    const open = users.filter(({ roles }) => roles[0]?.name !== CLOSED);
    const reading = open.map(async ({ name, passwordSecretRef }) => {
      const secret = await this.#ground.secret(metadata.namespace ?? '', passwordSecretRef.name);
      const data = secret?.data as Readonly<Record<string, string>> | undefined;
      return [name, Buffer.from(data?.[passwordSecretRef.key] ?? '', 'base64').toString()];
    });
    const passwords = await Promise.all(reading);
    assert.deepEqual(passwords.toSorted(), [...this.#passwords].toSorted());
  }

  /** Checks that each step in the life of a cluster has one event. */
  async #checkEvents(name: string, isGone: boolean): Promise<void> {
    const { results } = await this.#send(
      'GET',
      `${this.#project}/events?itemsPerPage=500&clusterNames=${name}`,
    );
    const types = (results as { eventTypeName: string; clusterName?: string }[])
      .filter(({ clusterName }) => clusterName === name)
      .map(({ eventTypeName }) => eventTypeName);
    const count = (type: string) => types.filter((one) => one === type).length;
    if (name === 'anchor') return;
    assert.deepEqual([count('CLUSTER_CREATED'), count('CLUSTER_READY')], [1, 1], `${name}: ${types.join()}`);
    assert.equal(count('CLUSTER_DELETED'), isGone ? 1 : 0, `${name}: ${types.join()}`);
    assert.equal(count('CLUSTER_RESOURCE_CHANGED'), 0, `${name}: ${types.join()}`);
  }

  async #resourceOf(name: string): Promise<StoredObject> {
    const found = (await this.#ground.resources()).find((object) => nameOf(object) === name);
    assert.ok(found, `there is no resource of ${name}`);
    return found;
  }

  #path(name: string): string {
    return `${this.#project}/clusters/${name}`;
  }

  async #applied(name: string): Promise<void> {
    await until(`the users of ${name}`, async () => {
      const { changeStatus } = await this.#send('GET', `${this.#path(name)}/status`);
      return changeStatus === 'APPLIED' ? true : undefined;
    });
  }

  async #reaches(name: string, state: string): Promise<void> {
    await until(`${name} ${state}`, async () => {
      const { stateName } = await this.#send('GET', this.#path(name));
      return stateName === state ? true : undefined;
    });
  }

  #answer(method: string, path: string, body?: unknown) {
    return this.#service.send(method, path, VERSION, body);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Body> {
    const reply = await this.#answer(method, path, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return (reply.body ?? {}) as Body;
  }
}

const nameOf = ({ metadata }: StoredObject): string =>
  (metadata.annotations as Readonly<Record<string, string>> | undefined)?.['portolan/name'] ?? '';

function sizeOf(instanceSize: string) {
  const regionConfig = {
    ...{ providerName: 'AWS', regionName: 'US_EAST_1', priority: 7 },
    electableSpecs: { instanceSize, nodeCount: 3 },
  };
  return { replicationSpecs: [{ regionConfigs: [regionConfig] }] };
}
