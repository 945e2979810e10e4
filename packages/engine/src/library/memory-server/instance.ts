import { EventEmitter } from 'node:events';
import { askDatabases } from '../databases.ts';
import { CompanionError } from '../errors.ts';
import type { Database, DatabaseRequest } from '../protocol.ts';
import { GenericMMSError, StdoutInstanceError } from './errors.ts';
import type { MemoryServerInstanceOpts } from './options.ts';

/** The request for a new database. */
export type Wanted = Omit<DatabaseRequest, 'id'>;

/** The credentials of drivers, if they must authenticate. */
export interface ExtraConnectionOptions {
  readonly authSource: string;
  readonly authMechanism: 'SCRAM-SHA-256';
  readonly auth: { readonly username: string; readonly password: string };
}

export type InstanceOpts = MemoryServerInstanceOpts & { readonly auth?: boolean; readonly port?: number };

export const MongoInstanceEvents = {
  instancePrimary: 'instancePrimary',
  instanceReady: 'instanceReady',
  instanceStarted: 'instanceStarted',
  instanceClosed: 'instanceClosed',
  instanceError: 'instanceError',
} as const;

/** A member to which drivers connect. It is either the only member of its database or a member of a replica set. */
export class MongoInstance extends EventEmitter {
  instanceOpts: InstanceOpts;
  extraConnectionOptions?: ExtraConnectionOptions;
  isInstancePrimary = false;
  isInstanceReady = false;
  readonly isReplSet: boolean;
  #database: Database | undefined;
  #member: number;

  constructor(opts: { readonly instance?: InstanceOpts } = {}, member = 0) {
    super();
    this.instanceOpts = { ...opts.instance };
    this.isReplSet = this.instanceOpts.replSet !== undefined;
    this.#member = member;
  }

  /** The database to which the member belongs. */
  get database(): Database | undefined {
    return this.#database;
  }

  /** Starts a database with this single member. If the database was stopped before, it still has its data. */
  async start(wanted?: Wanted): Promise<void> {
    if (wanted === undefined) throw new Error('an instance can only be started by its server or replica set');
    this.joined(await startDatabase({ ...wanted, id: this.#database?.id }));
  }

  /** Records that this instance is a running member of the database. */
  joined(database: Database): void {
    this.#database = database;
    this.isInstancePrimary = database.members[this.#member]?.primary ?? false;
    this.isInstanceReady = true;
    this.emit(MongoInstanceEvents.instanceReady);
    if (this.isInstancePrimary) this.emit(MongoInstanceEvents.instancePrimary);
    this.emit(MongoInstanceEvents.instanceStarted);
  }

  /** Opens the port of a stopped member again, while the other members of the database are running. */
  async rejoin(): Promise<void> {
    const [id, member] = this.#names();
    this.joined(await askDatabases('startMember', { id, member }));
  }

  /** Closes the port and keeps the data. Returns false if the instance was not running. */
  async stop(): Promise<boolean> {
    if (!this.isInstanceReady) return false;
    this.isInstanceReady = false;
    this.isInstancePrimary = false;
    const [id, member] = this.#names();
    if (this.#database?.members.length === 1) await askDatabases('pauseDatabase', { id });
    else await askDatabases('stopMember', { id, member });
    this.emit(MongoInstanceEvents.instanceClosed, 0, null);
    return true;
  }

  /** Removes the database. Deletes its data, unless the data is in a folder that the caller has chosen. */
  async remove(): Promise<void> {
    const id = this.#database?.id;
    this.#database = undefined;
    if (id !== undefined) await askDatabases('removeDatabase', { id });
  }

  #names(): [string, string] {
    return [this.#database?.id ?? '', this.#database?.members[this.#member]?.id ?? ''];
  }
}

export async function startDatabase(request: DatabaseRequest): Promise<Database> {
  try {
    return await askDatabases('startDatabase', request);
  } catch (error) {
    const { reason } = error as CompanionError;
    if (!(error instanceof CompanionError) || reason === undefined) throw error;
    if (reason === 'TIMED_OUT') throw new GenericMMSError(error.message);
    const ports = request.members.map(({ port }) => `"${port}"`).join(' or ');
    throw new StdoutInstanceError(`Port ${ports} already in use`);
  }
}

export default MongoInstance;
