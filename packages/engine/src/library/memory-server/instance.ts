import { EventEmitter } from 'node:events';
import { askDatabases } from '../databases.ts';
import { CompanionError } from '../errors.ts';
import type { Database, DatabaseRequest } from '../protocol.ts';
import { GenericMMSError, StdoutInstanceError } from './errors.ts';
import type { MemoryServerInstanceOpts } from './options.ts';

/** What is asked for when a database is started. */
export type Wanted = Omit<DatabaseRequest, 'id'>;

/** How a driver logs in, where it has to. */
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

/** A member that drivers connect to. It is one of a database: the only one, or one of a replica set. */
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

  /** The database that it is one of. */
  get database(): Database | undefined {
    return this.#database;
  }

  /** Starts a database with this one member, or goes on with the data of the former start. */
  async start(wanted?: Wanted): Promise<void> {
    if (wanted === undefined) throw new Error('it is started by the class that it belongs to');
    this.joined(await startDatabase({ ...wanted, id: this.#database?.id }));
  }

  /** It runs, as a member of this database. */
  joined(database: Database): void {
    this.#database = database;
    this.isInstancePrimary = database.members[this.#member]?.primary ?? false;
    this.isInstanceReady = true;
    this.emit(MongoInstanceEvents.instanceReady);
    if (this.isInstancePrimary) this.emit(MongoInstanceEvents.instancePrimary);
    this.emit(MongoInstanceEvents.instanceStarted);
  }

  /** Its port is open again, and all others learn of it. */
  async rejoin(): Promise<void> {
    const [id, member] = this.#names();
    this.joined(await askDatabases('startMember', { id, member }));
  }

  /** Closes its port; the data stay. False where it did not run. */
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

  /** Ends the database; its data go where they are in no folder of choice. */
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
