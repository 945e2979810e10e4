import type {
  Deployment,
  DeploymentSpec,
  Election,
  FoundMember,
  FoundServers,
  MemberSample,
  RefusedArgument,
} from '@portolan/engine/interface/engine';
import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import { poll, within } from '@portolan/foundation/wait';
import type { MongoClient, TopologyDescription } from 'mongodb';
import { BUILD_MS } from '../replication/limits.ts';
import { applyArguments } from './arguments.ts';
import { setCompatibility } from './compatibility.ts';
import {
  type AdoptedConnection,
  ask,
  clientOf,
  connected,
  copierOf,
  memberClient,
  writerOf,
} from './connection.ts';
import { type Health, healthOf, shardedHealth } from './health.ts';
import { inspect } from './inspect.ts';
import { MemberClients, type MemberLogin } from './members.ts';
import { Probes } from './probes.ts';
import { reachedClients, shardOf } from './reached.ts';
import { isBrokenConnection, reasonOf, unavailable } from './reasons.ts';
import { ReplyBudget } from './reply-budget.ts';
import type { Sizes } from './samples.ts';
import { Sampling } from './sampling.ts';
import { stepDown } from './step-down.ts';

const CHECK_MS = 2_000;
/**
 * Every fifth check also reads the topology and takes a sample. Every thirtieth check also reads the sizes of all
 * databases.
 */
const LOOK_EVERY = 5;
const SAMPLE_EVERY = 5;
const SIZES_EVERY = 30;
const ELECTIONS = 100;
/**
 * How long to wait until a client is closed. A closing client sends a last command, to which servers may not reply.
 */
const CLOSE_MS = 10_000;
/** Maximum number of connections that may break during one check. A large replica set has this many members. */
const BROKEN_CONNECTIONS = 7;

/** Time limit of a step-down and the election after it, and the polling interval. */
const ELECTION_MS = 60_000;
const STEP_MS = 200;

type Wanted = Pick<DeploymentSpec, 'arguments' | 'featureCompatibilityVersion'>;

export interface Parts {
  readonly clock: ServiceClock;
  readonly machine: MachineClock;
  readonly log: Log;
  readonly random: Random;
}

/**
 * A deployment that runs outside Portolan, with the state that this instance has observed. The deployment is checked
 * at intervals of machine time until `close` is called.
 */
export class AdoptedDeployment {
  readonly id: string;
  readonly #connection: AdoptedConnection;
  readonly #parts: Parts;
  readonly #rounds: Repetition;
  readonly #members = new MemberClients((member) => this.#connectTo(member));
  readonly #sampling: Sampling;
  readonly #elections: Election[] = [];
  readonly #closed = new AbortController();
  readonly #probes = new Probes();
  /** `#client` inspects the deployment, and `#worker` runs commands on behalf of the service. */
  #client: Promise<MongoClient> | undefined;
  #worker: Promise<MongoClient> | undefined;
  #seen: TopologyDescription | undefined;
  #found: FoundServers | undefined;
  #health: Health | undefined;
  #refused: readonly RefusedArgument[] = [];
  /** Why the deployment is unreachable; undefined while it is reachable. */
  #failure: string | undefined;
  #round = 0;

  /** `found` is the last known state, used until this instance has inspected the deployment. */
  constructor(
    id: string,
    {
      connection,
      found,
    }: { readonly connection: AdoptedConnection; readonly found: FoundServers | undefined },
    parts: Parts,
  ) {
    this.id = id;
    this.#connection = { ...connection, counts: new ReplyBudget(parts.machine) };
    this.#parts = parts;
    this.#sampling = new Sampling(id, parts);
    this.#found = found;
    // `onError` never sees an error of a check, because `#check` handles its own errors.
    this.#rounds = repeat({
      machine: parts.machine,
      run: () => this.#check(),
      interval: CHECK_MS,
      first: 0,
      onError: rethrow,
    });
  }

  /** Why the deployment is unreachable; undefined while it is reachable, and before the first inspection has ended. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get databases(): Sizes['databases'] {
    return this.#sampling.databases;
  }

  /** Returns the newest state; waits for the first inspection. */
  async describe(accessRevision = 0): Promise<Deployment> {
    if (this.#health === undefined && this.#failure === undefined) await this.#rounds.idle();
    const found = this.#found;
    const isUp = this.#failure === undefined && this.#health !== undefined;
    return {
      id: this.id,
      state: isUp ? 'running' : 'failed',
      members: (found?.members ?? []).map(({ id, host, port }) => ({ id, host, port })),
      accessRevision,
      primaries: isUp ? (this.#health?.primaries ?? []) : [],
      down: isUp ? (this.#health?.down ?? []) : (found?.members ?? []).map(({ id }) => id),
      elections: this.#elections,
      ...(this.#failure === undefined ? {} : { message: this.#failure }),
      ...(this.#refused.length === 0 ? {} : { refusedArguments: this.#refused }),
      ...(found === undefined ? {} : { found }),
    };
  }

  /** Inspects the deployment now. Throws the reason if it is unreachable. */
  async look(): Promise<void> {
    this.#round = 0;
    this.#rounds.wake();
    await this.#rounds.idle();
    if (this.#failure !== undefined) throw new Error(this.#failure);
  }

  /** Inspects the deployment now and returns it. Throws the reason if it is unreachable. */
  async reachable(): Promise<Deployment & { readonly found: FoundServers }> {
    await this.look();
    const { found, ...deployment } = await this.describe();
    if (found === undefined) throw new Error('the deployment was not inspected');
    return { ...deployment, found };
  }

  /**
   * Makes the primaries of all shards step down, or only `from`, if it is a primary. Rejects if no other member of a shard
   * becomes primary.
   */
  async stepDown(from: string | undefined): Promise<void> {
    const { found, primaries } = await this.reachable();
    for (const primary of primaries.filter((one) => from === undefined || one === from)) {
      const shard = shardOf(found, primary);
      await stepDown(await this.member(primary));
      const elected = await poll(this.#parts.machine, { step: STEP_MS, limit: ELECTION_MS }, async () => {
        await this.look();
        return this.#health?.primaries.find((one) => one !== primary && shard.includes(one));
      });
      if (elected === undefined) throw new Error('no other member has become primary');
    }
  }

  /** Changes the process arguments and the feature compatibility version of the servers, if they differ. */
  async configure(wanted: Wanted): Promise<void> {
    const { found } = await this.reachable();
    const client = await this.#watcher();
    const members = () => this.#reachable(found);
    this.#refused = [
      ...(await applyArguments({ client, members }, found.arguments ?? {}, wanted.arguments ?? {})),
      ...(await setCompatibility(await this.worker(), found, wanted.featureCompatibilityVersion)),
    ];
  }

  /** Samples the members now. */
  async measure(): Promise<void> {
    if (this.#failure !== undefined) return;
    await this.#sampling.readSizes(await this.#watcher());
    await this.#sample();
  }

  samplesOf(memberId: string): readonly MemberSample[] {
    return this.#sampling.of(memberId);
  }

  /** Whether the servers reply, and the user may manage their users and roles. */
  get managesUsers(): boolean {
    return this.#failure === undefined && this.#found?.facts.includes('manageUsers') === true;
  }

  /** Returns the client with a time limit, for short commands. */
  client(): Promise<MongoClient> {
    return this.#watcher();
  }

  /** Returns the client for commands on behalf of the service, such as index builds. */
  worker(): Promise<MongoClient> {
    this.#worker ??= this.#newWorker();
    return this.#worker;
  }

  async #newWorker(): Promise<MongoClient> {
    const client = await clientOf(this.#uncounted, BUILD_MS);
    try {
      return await connected(client);
    } catch (error) {
      this.#worker = undefined;
      throw unavailable(error);
    }
  }

  /** How to connect without a limit of the bytes that all clients together read. */
  get #uncounted(): AdoptedConnection {
    const { counts: _, ...connection } = this.#connection;
    return connection;
  }

  /** A signal that is aborted when the deployment is closed. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  /** Creates a client that reads all data, with a name for the logs of the servers. The caller must close it. */
  copier(appName: string): Promise<MongoClient> {
    return copierOf(this.#connection, appName);
  }

  /** Creates clients that replace data. The caller must close them. */
  async writers(): Promise<{ readonly target: MongoClient; readonly builder: MongoClient }> {
    return {
      target: await writerOf(this.#connection, 'writes'),
      builder: await writerOf(this.#connection, 'indexes'),
    };
  }

  /** Returns a client of one member. */
  member(memberId: string): Promise<MongoClient> {
    return this.#members.at({ address: this.#addressOf(memberId), logsIn: true });
  }

  /** Creates a client that reads the log of a member, which can be long. The caller must close it. */
  async logReader(memberId: string): Promise<MongoClient> {
    const member = { address: this.#addressOf(memberId), logsIn: true };
    return connected(await memberClient(this.#uncounted, await this.#watcher(), member));
  }

  #addressOf(memberId: string): string {
    const found = this.#found?.members.find(({ id }) => id === memberId);
    if (found === undefined) throw new Error(`the deployment has no member ${memberId}`);
    return addressOf(found);
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('the deployment was released, or the service is stopping'));
    await this.#rounds.stop();
    await this.#disconnect([this.#worker]);
  }

  /** Closes the clients that inspect the deployment, and the clients in `others`. */
  async #disconnect(others: readonly (Promise<MongoClient> | undefined)[] = []): Promise<void> {
    const clients = [this.#client, ...this.#members.takeOthers(), ...others];
    this.#client = undefined;
    await this.#closeAll(clients);
  }

  async #closeAll(clients: readonly (Promise<MongoClient> | undefined)[]): Promise<void> {
    if (clients.length === 0) return;
    const closed = Promise.allSettled(clients.map(async (client) => (await client)?.close()));
    await within(this.#parts.machine, CLOSE_MS, closed);
  }

  #watcher(): Promise<MongoClient> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<MongoClient> {
    const client = await clientOf(this.#connection);
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      this.#seen = newDescription;
    });
    return client;
  }

  async #connectTo(member: MemberLogin): Promise<MongoClient> {
    return connected(await memberClient(this.#connection, await this.#watcher(), member));
  }

  async #check(): Promise<void> {
    try {
      await this.#checkOnAnyServer();
    } catch (error) {
      this.#failed(error);
    }
  }

  /**
   * Checks again after a broken connection, since other servers may still be reachable. If no server is reachable, the
   * driver waits for one.
   */
  async #checkOnAnyServer(): Promise<void> {
    for (let left = BROKEN_CONNECTIONS; ; left--) {
      try {
        await this.#checkOnce();
        return;
      } catch (error) {
        if (left === 0 || !isBrokenConnection(error)) throw error;
      }
    }
  }

  async #checkOnce(): Promise<void> {
    const round = this.#round++;
    const client = await this.#watcher();
    const known = this.#found;
    const isDue = round % LOOK_EVERY === 0 || known === undefined;
    const found = isDue ? await this.#inspect(client) : known;
    this.#found = found;
    // Servers could otherwise name other members at each inspection, whose clients would remain.
    void this.#closeAll(this.#members.takeOthers(found.members.map(addressOf)));
    this.#update(await this.#ask(client, found));
    this.#failure = undefined;
    if (round % SIZES_EVERY === 0) await this.#sampling.readSizes(client);
    if (round % SAMPLE_EVERY === 0) await this.#sample();
  }

  #inspect(client: MongoClient): Promise<FoundServers> {
    const known = this.#found;
    const [probes, connection] = [this.#probes, this.#connection];
    return inspect(client, { probes, connection, members: known && (() => this.#reachable(known)) });
  }

  /** Connects to the members, and returns a client of each member that it reaches, without routers. */
  async #reachable({ members, topology }: FoundServers): Promise<readonly MongoClient[]> {
    const down = new Set(this.#health?.down);
    const up = members.filter(({ id, kind }) => !down.has(id) && kind !== 'router');
    const all = await Promise.allSettled(up.map((member) => this.#memberOf(member)));
    return reachedClients(all, { topology });
  }

  #failed(error: unknown): void {
    this.#failure = reasonOf(error);
    this.#probes.forget();
    // Read the topology and take a sample as soon as the deployment is reachable again.
    this.#round = 0;
    // Disconnect, so that the next check creates a new client. A client whose first connection fails cannot connect
    // again. The worker stays connected, because servers that are too busy for a check may still run its command.
    void this.#disconnect();
  }

  #ask(client: MongoClient, found: FoundServers): Promise<Health> {
    if (found.topology !== 'SHARDED') return healthOf(client, found, this.#seen);
    return shardedHealth(client, found, async (address) =>
      ask(await this.#members.at({ address, logsIn: false }), { hello: 1 }),
    );
  }

  /** Records an election if another member has become primary. */
  #update(health: Health): void {
    const before = this.#health?.primaries;
    this.#health = health;
    if (before === undefined || before.length === 0) return;
    for (const memberId of health.primaries.filter((primary) => !before.includes(primary)))
      this.#elections.push({ memberId, time: this.#parts.clock.now().getTime() });
    this.#elections.splice(0, this.#elections.length - ELECTIONS);
  }

  async #sample(): Promise<void> {
    const client = await this.#watcher();
    const [found, health] = [this.#found, this.#health];
    await this.#sampling.take({ client, found, health, member: (one) => this.#memberOf(one) });
  }

  #memberOf(member: FoundMember): Promise<MongoClient> {
    return this.#members.at({ address: addressOf(member), logsIn: true });
  }
}

const addressOf = ({ host, port }: FoundMember) => `${host}:${port}`;
