/// <reference lib="esnext.disposable" preserve="true" />
import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { asyncDispose } from '../dispose.ts';
import { ReplsetCountLowError, requireState } from './errors.ts';
import { atFreePorts, freePort } from './free-port.ts';
import { MongoInstance, startDatabase } from './instance.ts';
import {
  authOf,
  type Cleanup,
  isAuthOn,
  listenOf,
  type MemoryServerInstanceOpts,
  type MongoBinaryOpts,
  type MongoMemoryInstanceOptsBase,
  type MongoMemoryReplSetOpts,
  type ReplSetOpts,
  USUAL_CLEANUP,
  usersOf,
  versionOf,
} from './options.ts';
import { infoOf, isEmpty, loginOf, MongoMemoryServer } from './server.ts';

export const MongoMemoryReplSetEvents = { stateChange: 'stateChange' } as const;

export const MongoMemoryReplSetStates = { init: 'init', running: 'running', stopped: 'stopped' } as const;
export type MongoMemoryReplSetStates = keyof typeof MongoMemoryReplSetStates;

const { init, running, stopped } = MongoMemoryReplSetStates;

/** A replica set without a downloaded server. Its members share their data. */
export class MongoMemoryReplSet extends EventEmitter {
  servers: MongoMemoryServer[] = [];
  protected _state: MongoMemoryReplSetStates = stopped;
  protected _binaryOpts: MongoBinaryOpts = {};
  protected _instanceOpts: MongoMemoryInstanceOptsBase[] = [];
  protected _replSetOpts: Required<ReplSetOpts> = withDefaults({});

  constructor({ binary = {}, instanceOpts = [], replSet = {} }: Partial<MongoMemoryReplSetOpts> = {}) {
    super();
    this.binaryOpts = { ...binary };
    this.instanceOpts = instanceOpts;
    this.replSetOpts = { ...replSet };
  }

  /** Creates and starts a replica set. */
  static async create(opts?: Partial<MongoMemoryReplSetOpts>): Promise<MongoMemoryReplSet> {
    const set = new MongoMemoryReplSet(opts);
    await set.start();
    return set;
  }

  get state(): MongoMemoryReplSetStates {
    return this._state;
  }

  get binaryOpts(): MongoBinaryOpts {
    return this._binaryOpts;
  }

  set binaryOpts(options: MongoBinaryOpts) {
    requireState(this._state, [stopped]);
    this._binaryOpts = options;
  }

  get instanceOpts(): MongoMemoryInstanceOptsBase[] {
    return this._instanceOpts;
  }

  set instanceOpts(options: MongoMemoryInstanceOptsBase[]) {
    requireState(this._state, [stopped]);
    this._instanceOpts = options;
  }

  get replSetOpts(): ReplSetOpts {
    return this._replSetOpts;
  }

  set replSetOpts(options: ReplSetOpts) {
    requireState(this._state, [stopped]);
    this._replSetOpts = withDefaults(options);
  }

  /** Returns the connection string, optionally for another database and address. */
  getUri(otherDb = '', otherIp = '127.0.0.1'): string {
    requireState(this._state, [running, init]);
    const hosts = this.servers.map(({ instanceInfo }) => `${otherIp}:${instanceInfo?.port}`).join(',');
    return `mongodb://${hosts}/${otherDb}?replicaSet=${this._replSetOpts.name}`;
  }

  /** Starts all members. If they were stopped before, they still have their data. Resolves when there is a primary. */
  async start(): Promise<void> {
    requireState(this._state, [stopped]);
    this.stateChange(init);
    try {
      await this.initAllServers();
    } catch (error) {
      console.warn('The replica set did not start:', error);
      await this.stop({ doCleanup: false, force: false });
      this.stateChange(stopped);
      throw error;
    }
    this.stateChange(running);
  }

  /**
   * Stops all members. By default, deletes the data unless it is in folders that the caller has chosen.
   * Returns false if a member could not be stopped.
   */
  async stop(cleanup: Cleanup = USUAL_CLEANUP): Promise<boolean> {
    try {
      await Promise.all(this.servers.map((server) => server.stop({ doCleanup: false, force: false })));
    } catch (error) {
      this.stateChange(stopped, error);
      return false;
    }
    this.stateChange(stopped);
    if (cleanup.doCleanup) await this.cleanup(cleanup);
    return true;
  }

  /** Deletes the data after a stop. Deletes folders that the caller has chosen only with `force`. */
  async cleanup(options: Cleanup = USUAL_CLEANUP): Promise<void> {
    requireState(this._state, [stopped]);
    if (!options.doCleanup) return;
    await Promise.all(this.servers.map((server) => server.cleanup(options)));
    this.servers = [];
  }

  /** Resolves when the replica set is running. */
  async waitUntilRunning(): Promise<void> {
    await Promise.resolve();
    requireState(this._state, [running, init]);
    if (this._state === running) return;
    await new Promise<void>((resolve) => {
      const look = (state: MongoMemoryReplSetStates) => {
        if (state !== running) return;
        this.removeListener(MongoMemoryReplSetEvents.stateChange, look);
        resolve();
      };
      this.on(MongoMemoryReplSetEvents.stateChange, look);
    });
  }

  async [asyncDispose](): Promise<void> {
    const { enabled = true, cleanup } = this._replSetOpts.dispose;
    if (enabled) await this.stop(cleanup);
  }

  protected stateChange(state: MongoMemoryReplSetStates, ...details: unknown[]): void {
    this._state = state;
    this.emit(MongoMemoryReplSetEvents.stateChange, state, ...details);
  }

  protected enableAuth(): boolean {
    return isAuthOn(this._replSetOpts.auth);
  }

  /** Returns the options of a member, including the options of the replica set. */
  protected getInstanceOpts(own: MongoMemoryInstanceOptsBase = {}): MemoryServerInstanceOpts {
    const { args, dbName, ip, name, storageEngine } = this._replSetOpts;
    return { storageEngine, ...own, args: [...args, ...(own.args ?? [])], dbName, ip, replSet: name };
  }

  protected async initAllServers(): Promise<void> {
    if (this.servers.length === 0) await this.#startMembers();
    else await Promise.all(this.servers.map((server) => server.start(true)));
  }

  async #startMembers(): Promise<void> {
    const { auth, count } = this._replSetOpts;
    const members = Array.from({ length: Math.max(count, this._instanceOpts.length) }, (_, index) =>
      this.getInstanceOpts(this._instanceOpts[index]),
    );
    const binary = this._binaryOpts;
    this.servers = members.map((instance) => new MongoMemoryServer({ instance, binary, auth }));
    await atFreePorts(async () => this.#startAt(members, await freePorts(members)));
  }

  async #startAt(members: readonly MemoryServerInstanceOpts[], ports: readonly number[]): Promise<void> {
    const { auth, ip, name } = this._replSetOpts;
    const login = this.enableAuth() ? authOf(auth) : undefined;
    const folder = members.find(({ dbPath }) => dbPath !== undefined)?.dbPath;
    const isNew = folder === undefined || (await isEmpty(folder));
    const database = await startDatabase({
      replicaSet: name,
      version: versionOf(this._binaryOpts),
      listen: listenOf(ip),
      folder: folder && resolve(folder),
      open: login === undefined,
      noTableScan: members.some(({ args }) => args?.includes('--notablescan')),
      users: login && (isNew || login.force) ? usersOf(login) : [],
      members: members.map(({ replicaMemberConfig: { priority, hidden } = {} }, index) => ({
        ...{ priority, hidden },
        port: ports[index],
      })),
      timeout: members.find(({ launchTimeout }) => launchTimeout !== undefined)?.launchTimeout,
    });
    for (const [index, server] of this.servers.entries()) {
      const port = ports[index] ?? 0;
      const own = { ...server.opts.instance, port };
      const instance = new MongoInstance({ instance: { ...own, auth: login !== undefined } }, index);
      instance.joined(database);
      if (login) instance.extraConnectionOptions = loginOf(login);
      server._joined(infoOf(server.opts.instance, instance, port));
    }
  }
}

/** Returns a free port for each member. If the configured port of a member is free, returns that port. */
async function freePorts(members: readonly MemoryServerInstanceOpts[]): Promise<number[]> {
  const ports: number[] = [];
  for (const { port } of members) {
    let free = await freePort(port !== undefined && ports.includes(port) ? undefined : port);
    while (ports.includes(free)) free = await freePort();
    ports.push(free);
  }
  return ports;
}

function withDefaults(options: ReplSetOpts): Required<ReplSetOpts> {
  const all: Required<ReplSetOpts> = {
    auth: { enable: false },
    args: [],
    name: 'testset',
    count: 1,
    dbName: '',
    ip: '127.0.0.1',
    spawn: {},
    storageEngine: 'wiredTiger',
    configSettings: {},
    dispose: {},
    ...options,
  };
  if (!(all.count > 0)) throw new ReplsetCountLowError(all.count);
  return isAuthOn(all.auth) ? { ...all, auth: authOf(all.auth) } : all;
}

export default MongoMemoryReplSet;
