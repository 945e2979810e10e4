import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { type OtherServer, otherServer } from '@portolan/test-support/adopted-engine';
import { customerCertificate } from '@portolan/test-support/customer-certificate';
import { type Document, MongoClient } from 'mongodb';
import { type RunningService, startService } from '../../parity/service.ts';
import { addressOf } from './address.ts';
import { until } from './until.ts';

const VERSION = '2024-10-23';
const DATABASE = 'portolan_rounds';
const ROUNDS = { snapshot: 3, restore: 5 };
const PASSWORD = (round: number) => `the log of round ${round}`;

type Body = Record<string, unknown>;
type Disturbance = 'freeze' | 'kill' | 'restart';
const disturbances: readonly Disturbance[] = ['kill', 'freeze', 'restart'];

/**
 * Adopts a server of `npm run engine` with authentication and TLS. In each round, kills, freezes or restarts the server
 * while users are created, changed and deleted, and snapshots are taken and restored. Afterwards, nothing may be half
 * done or done twice. Throws at the first difference.
 */
export async function disturb(root: string, rounds: number): Promise<void> {
  const undo: (() => unknown)[] = [];
  await using service = await startService(root);
  try {
    const tls = await customerCertificate('CN=rounds', ['127.0.0.1']);
    const server = await otherServer({ after: (run) => void undo.push(run) }, tls);
    const run = new Rounds(service, server);
    await run.begin();
    for (let round = 1; round <= rounds; round++) console.log(await run.play(round));
  } catch (error) {
    console.log(JSON.stringify((await service.operator('GET', '/deployments')).body, undefined, 2));
    console.log(JSON.stringify((await service.operator('GET', '/tasks')).body, undefined, 2));
    throw error;
  } finally {
    for (const end of undo.toReversed()) await end();
  }
}

/** A snapshot, and the numbers of the rounds whose documents it contains. */
interface Taken {
  readonly id: string;
  readonly rounds: readonly number[];
}

class Rounds {
  readonly #service: RunningService;
  readonly #server: OtherServer;
  /** The passwords of the users that exist. */
  readonly #users = new Map<string, string>();
  #project = '';
  #id = '';
  /** The last complete snapshot. */
  #taken: Taken | undefined;
  /** The numbers of the rounds whose documents the database must contain; undefined after a failed restore. */
  #rounds: readonly number[] | undefined = [];

  constructor(service: RunningService, server: OtherServer) {
    this.#service = service;
    this.#server = server;
  }

  async begin(): Promise<void> {
    const { orgId } = this.#service;
    const { id: groupId } = await this.#send('POST', '/groups', { name: 'rounds', orgId });
    this.#project = `/groups/${groupId}`;
    const wanted = { groupId, name: 'rounds', ...addressOf(this.#server.uri) };
    const { status, body } = await this.#service.operator('POST', '/deployments', wanted);
    assert.equal(status, 201, JSON.stringify(body));
    this.#id = String((body as Body).id);
    await this.#reaches('IDLE');
    await this.#send('PATCH', this.#cluster, { backupEnabled: true });
    await this.#reaches('IDLE');
  }

  /** Plays one round. Returns a line of the report. */
  async play(round: number): Promise<string> {
    // Shift the rounds, so that each kind of disturbance occurs together with snapshots, together with restores, and
    // without both.
    const shift = Math.floor(round / disturbances.length);
    const disturbance = disturbances[(round + shift) % disturbances.length] ?? 'kill';
    const jobs: Promise<string>[] = [];
    await this.#withClient((client) => client.db(DATABASE).collection('all').insertOne({ round }));
    if (this.#rounds !== undefined) this.#rounds = [...this.#rounds, round];
    if (round % ROUNDS.snapshot === 1 && this.#rounds !== undefined) jobs.push(this.#snapshot(this.#rounds));
    else if (round % ROUNDS.restore === 0 && this.#taken !== undefined) jobs.push(this.#restore(this.#taken));
    await this.#changeUsers(round);
    await setTimeout((round * 370) % 1_500);
    await this.#disturb(disturbance, round);
    const ended = await Promise.all(jobs);
    await this.#reaches('IDLE');
    await this.#applied();
    await this.#check();
    return `ok  round ${round}: ${[disturbance, ...ended].join(', ')}`;
  }

  /** Creates a user, changes the password of another one, and deletes the oldest user if there are more than four. */
  async #changeUsers(round: number): Promise<void> {
    const users = `${this.#project}/databaseUsers`;
    const [oldest] = this.#users.keys();
    const password = PASSWORD(round);
    const roles = [{ roleName: 'read', databaseName: DATABASE }];
    const name = `sailor-${round}`;
    await this.#send('POST', users, { username: name, password, databaseName: 'admin', roles });
    this.#users.set(name, password);
    const last = [...this.#users.keys()].at(-2);
    if (last !== undefined && last !== oldest) {
      await this.#send('PATCH', `${users}/admin/${last}`, { password });
      this.#users.set(last, password);
    }
    if (oldest !== undefined && this.#users.size > 4) {
      await this.#send('DELETE', `${users}/admin/${oldest}`);
      this.#users.delete(oldest);
    }
  }

  async #disturb(disturbance: Disturbance, round: number): Promise<void> {
    const server = this.#server;
    if (disturbance === 'freeze') server.freeze(true);
    else await server.kill(disturbance === 'kill' ? 'SIGKILL' : 'SIGTERM');
    try {
      // In even rounds, wait until the service notices the disturbance. In odd rounds, the servers return before that.
      if (round % 2 === 0) await this.#reaches('REPAIRING', 'UPDATING');
      await this.#changeUsers(round + 1_000);
    } finally {
      if (disturbance === 'freeze') server.freeze(false);
      else await server.start();
    }
  }

  async #snapshot(rounds: readonly number[]): Promise<string> {
    const path = `${this.#cluster}/backup/snapshots`;
    const { id } = await this.#send('POST', path, { description: 'round', retentionInDays: 1 });
    const { status } = await until('the end of the snapshot', async () => {
      const found = await this.#send('GET', `${path}/${id}`);
      return ['completed', 'failed'].includes(String(found.status)) ? found : undefined;
    });
    if (status === 'completed') this.#taken = { id: String(id), rounds };
    return `snapshot ${status}`;
  }

  async #restore({ id: snapshotId, rounds }: Taken): Promise<string> {
    const path = `${this.#cluster}/backup/restoreJobs`;
    const target = { targetClusterName: 'rounds', targetGroupId: this.#project.split('/').at(-1) };
    const wanted = { deliveryType: 'automated', snapshotId, ...target };
    const { id } = await this.#send('POST', path, wanted);
    const { failed } = await until('the end of the restore', async () => {
      const found = await this.#send('GET', `${path}/${id}`);
      return found.finishedAt === undefined ? undefined : found;
    });
    // A failed restore may have replaced a part of the data. The next successful restore replaces all data.
    this.#rounds = failed === true ? undefined : rounds;
    return failed === true ? 'restore failed' : 'restore completed';
  }

  /**
   * Checks that the servers contain the users of the project and the documents of the expected rounds, but no other
   * users that the service created, and no remains of copies.
   */
  async #check(): Promise<void> {
    const { accountProblems, accessProblem } = await this.#deployment();
    assert.deepEqual([accountProblems, accessProblem], [[], undefined]);
    await this.#withClient(async (client) => {
      const { users } = await client.db('admin').command({ usersInfo: 1 });
      const own = (users as Document[]).filter(({ customData }) => customData?.portolan !== undefined);
      assert.deepEqual(own.map(({ user }) => user).sort(), [...this.#users.keys()].sort());
      const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
      const names = (databases as { name: string }[]).map(({ name }) => name);
      if (this.#rounds === undefined) return;
      assert.ok(!names.includes('portolan_migration'), names.join());
      const documents = await client.db(DATABASE).collection('all').find().sort({ round: 1 }).toArray();
      assert.deepEqual(
        documents.map(({ round }) => round),
        this.#rounds,
      );
    });
    for (const [username, password] of this.#users)
      await this.#withClient((client) => client.db(DATABASE).collection('all').findOne(), {
        auth: { username, password },
      });
  }

  async #withClient<T>(work: (client: MongoClient) => Promise<T>, options: object = {}): Promise<T> {
    const client = new MongoClient(this.#server.uri, { serverSelectionTimeoutMS: 60_000, ...options });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  get #cluster(): string {
    return `${this.#project}/clusters/rounds`;
  }

  async #applied(): Promise<void> {
    await until('the change of users', async () => {
      const { changeStatus } = await this.#send('GET', `${this.#cluster}/status`);
      return changeStatus === 'APPLIED' ? true : undefined;
    });
  }

  async #reaches(...states: readonly string[]): Promise<void> {
    await until(states.join(' or '), async () => {
      const { stateName } = await this.#send('GET', this.#cluster);
      return states.includes(String(stateName)) ? true : undefined;
    });
  }

  async #deployment(): Promise<Body> {
    const { status, body } = await this.#service.operator('GET', `/deployments/${this.#id}`);
    assert.equal(status, 200);
    return body as Body;
  }

  async #send(method: string, path: string, body?: unknown): Promise<Body> {
    const reply = await this.#service.send(method, path, VERSION, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return (reply.body ?? {}) as Body;
  }
}
