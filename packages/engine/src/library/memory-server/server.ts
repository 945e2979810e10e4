/// <reference lib="esnext.disposable" preserve="true" />
import { EventEmitter } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { asyncDispose } from '../dispose.ts';
import { InstanceInfoError, requireState } from './errors.ts';
import { atFreePorts, freePort } from './free-port.ts';
import { MongoInstance } from './instance.ts';
import {
  type AutomaticAuth,
  authOf,
  type Cleanup,
  isAuthOn,
  listenOf,
  type MemoryServerInstanceOpts,
  type MongoMemoryServerOpts,
  type StorageEngine,
  USUAL_CLEANUP,
  usersOf,
  versionOf,
} from './options.ts';

export const MongoMemoryServerEvents = { stateChange: 'stateChange' } as const;

export const MongoMemoryServerStates = {
  new: 'new',
  starting: 'starting',
  running: 'running',
  stopped: 'stopped',
} as const;
export type MongoMemoryServerStates = keyof typeof MongoMemoryServerStates;

/** Describes a running database. */
export interface MongoInstanceData {
  port: number;
  readonly dbPath: string;
  readonly dbName: string;
  readonly ip: string;
  readonly storageEngine: StorageEngine;
  readonly replSet: string | undefined;
  /** The folder of temporary data. Undefined if the caller has chosen a folder. */
  readonly tmpDir: string | undefined;
  readonly keyfileLocation: string | undefined;
  readonly launchTimeout: number | undefined;
  readonly instance: MongoInstance;
}

const { starting, running, stopped, new: fresh } = MongoMemoryServerStates;

/** A single database without a downloaded server. */
export class MongoMemoryServer extends EventEmitter {
  opts: MongoMemoryServerOpts;
  readonly auth?: Required<AutomaticAuth>;
  protected _instanceInfo: MongoInstanceData | undefined;
  protected _state: MongoMemoryServerStates = fresh;

  constructor(opts: MongoMemoryServerOpts = {}) {
    super();
    this.opts = { ...opts, ...(opts.instance ? { instance: withoutAuth(opts.instance) } : {}) };
    if (isAuthOn(opts.auth)) this.auth = authOf(opts.auth);
  }

  /** Creates and starts a database. */
  static async create(opts?: MongoMemoryServerOpts): Promise<MongoMemoryServer> {
    const server = new MongoMemoryServer(opts);
    await server.start();
    return server;
  }

  get instanceInfo(): MongoInstanceData | undefined {
    return this._instanceInfo;
  }

  get state(): MongoMemoryServerStates {
    return this._state;
  }

  /**
   * Starts the server. If it was stopped before, it still has its data. With `forceSamePort`, fails if the port is
   * taken.
   */
  async start(forceSamePort?: boolean): Promise<void> {
    requireState(this._state, [fresh, stopped]);
    this.stateChange(starting);
    try {
      await this._startUpInstance(forceSamePort);
    } catch (error) {
      console.warn('The database did not start:', error);
      await this.stop({ doCleanup: false, force: false });
      this.stateChange(stopped);
      throw error;
    }
    this.stateChange(running);
  }

  /**
   * Stops the server. By default, deletes the data unless it is in a folder that the caller has chosen.
   * Returns false if the server was never started.
   */
  async stop(cleanup: Cleanup = USUAL_CLEANUP): Promise<boolean> {
    if (this._instanceInfo === undefined) return false;
    await this._instanceInfo.instance.stop();
    this.stateChange(stopped);
    if (cleanup.doCleanup) await this.cleanup(cleanup);
    return true;
  }

  /** Deletes the data after a stop. Deletes a folder that the caller has chosen only with `force`. */
  async cleanup(options: Cleanup = USUAL_CLEANUP): Promise<void> {
    requireState(this._state, [stopped]);
    const info = this._instanceInfo;
    if (!options.doCleanup || info === undefined) return;
    await info.instance.remove();
    if (options.force) await rm(info.dbPath, { recursive: true, force: true });
    this.stateChange(fresh);
    this._instanceInfo = undefined;
  }

  /** Starts the server unless it is running. Resolves when it is running. */
  async ensureInstance(): Promise<MongoInstanceData> {
    requireState(this._state, [running, fresh, stopped, starting]);
    if (this._state === starting) return this.#started();
    if (this._state !== running) await this.start();
    return this.#info('MongoMemoryServer.ensureInstance');
  }

  /** Returns the connection string, optionally for another database and address. */
  getUri(otherDb = '', otherIp = '127.0.0.1'): string {
    requireState(this._state, [running, starting]);
    return `mongodb://${otherIp}:${this.#info('MongoMemoryServer.getUri').port}/${otherDb}`;
  }

  async [asyncDispose](): Promise<void> {
    const { enabled = true, cleanup } = this.opts.dispose ?? {};
    if (enabled) await this.stop(cleanup);
  }

  protected stateChange(state: MongoMemoryServerStates): void {
    this._state = state;
    this.emit(MongoMemoryServerEvents.stateChange, state);
  }

  /** Returns a free port. If the given port is free, returns that port. */
  protected getNewPort(port?: number): Promise<number> {
    return freePort(port);
  }

  protected authObjectEnable(): boolean {
    return this.auth?.enable ?? false;
  }

  /** Changes the state to running. Called by the replica set of this server when all of its members are running. */
  _joined(info: MongoInstanceData): void {
    this._instanceInfo = info;
    this.stateChange(running);
  }

  async _startUpInstance(forceSamePort?: boolean): Promise<void> {
    if (this._instanceInfo?.instance.isReplSet && this.#isMember) return this._instanceInfo.instance.rejoin();
    const { portGeneration = true } = this.opts.instance ?? {};
    const same = forceSamePort ?? !portGeneration;
    const start = async () => this.#startAt(await this.#port(same));
    await (same ? start() : atFreePorts(start));
  }

  /** True if a replica set has started the server. */
  get #isMember(): boolean {
    return (this._instanceInfo?.instance.database?.members.length ?? 1) > 1;
  }

  async #port(same: boolean): Promise<number> {
    const wanted = this._instanceInfo?.port ?? this.opts.instance?.port;
    return same && wanted !== undefined ? wanted : this.getNewPort(wanted);
  }

  async #startAt(port: number): Promise<void> {
    const { ip = '127.0.0.1', dbPath, replSet, args = [], launchTimeout } = this.opts.instance ?? {};
    const known = this._instanceInfo;
    const login = this.auth?.enable ? this.auth : undefined;
    const isNew = known === undefined && (dbPath === undefined || (await isEmpty(dbPath)));
    const instance = known?.instance ?? new MongoInstance({ instance: this.#instanceOpts(port) });
    instance.instanceOpts = { ...instance.instanceOpts, port };
    await instance.start({
      replicaSet: replSet ?? 'testset',
      version: versionOf(this.opts.binary),
      members: [{ port }],
      listen: listenOf(ip),
      folder: dbPath && resolve(dbPath),
      open: login === undefined,
      noTableScan: args.includes('--notablescan'),
      users: login && (isNew || login.force) ? usersOf(login) : [],
      timeout: launchTimeout,
    });
    if (login) instance.extraConnectionOptions = loginOf(login);
    if (known !== undefined) known.port = port;
    else this._instanceInfo = infoOf(this.opts.instance, instance, port);
  }

  #instanceOpts(port: number) {
    return { ...this.opts.instance, port, auth: this.authObjectEnable() };
  }

  #info(where: string): MongoInstanceData {
    if (this._instanceInfo === undefined) throw new InstanceInfoError(where);
    return this._instanceInfo;
  }

  #started(): Promise<MongoInstanceData> {
    return new Promise((resolve, reject) => {
      this.once(MongoMemoryServerEvents.stateChange, (state) => {
        if (state === running) resolve(this.#info('MongoMemoryServer.ensureInstance'));
        else reject(new Error(`"ensureInstance" waited for "running" but got a different state: "${state}"`));
      });
    });
  }
}

/** Returns the description of a running database that has a member at this port. */
export function infoOf(
  options: MemoryServerInstanceOpts = {},
  instance: MongoInstance,
  port: number,
): MongoInstanceData {
  const { dbName = '', ip = '127.0.0.1', storageEngine = 'wiredTiger', dbPath } = options;
  const { replSet, keyfileLocation, launchTimeout } = options;
  const folder = instance.database?.folder ?? '';
  return {
    ...{ port, dbName, ip, storageEngine, replSet, keyfileLocation, launchTimeout, instance },
    dbPath: dbPath ?? folder,
    tmpDir: dbPath === undefined ? folder : undefined,
  };
}

export function loginOf({ customRootName: username, customRootPwd: password }: Required<AutomaticAuth>) {
  return { authSource: 'admin', authMechanism: 'SCRAM-SHA-256', auth: { username, password } } as const;
}

/** True if the folder is empty. Creates it if it does not exist. */
export async function isEmpty(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  return (await readdir(folder)).length === 0;
}

/** Removes `auth` from the options of a member, because only `auth` in the options of the server has an effect. */
function withoutAuth(instance: MemoryServerInstanceOpts): MemoryServerInstanceOpts {
  const { auth: _, ...rest } = instance as MemoryServerInstanceOpts & { readonly auth?: unknown };
  return rest;
}

export default MongoMemoryServer;
