import type { RawDocument } from '../bson/raw.ts';
import type { ProcessArguments } from '../interface/engine.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import { type ClusterParameters, clusterParameterDefaults } from './cluster-parameters.ts';
import { parameterTable } from './known.ts';
import { Profiler } from './profiler.ts';
import { allStored, type Place, readStored } from './stored.ts';
import { Verbosity } from './verbosity.ts';

export const CLUSTER_PARAMETERS: Place = { database: 'config', collection: 'clusterParameters' };
export const SETTINGS: Place = { database: 'config', collection: 'settings' };
export const VERSIONS: Place = { database: 'admin', collection: 'system.version' };
export const CONCERN_DEFAULTS = 'ReadWriteConcernDefaults';
export const FEATURE_COMPATIBILITY = 'featureCompatibilityVersion';

export interface WriteConcernDefault {
  readonly w: number | string;
  readonly j?: boolean;
  /** Milliseconds; 0 waits for ever. */
  readonly wtimeout: number;
}

/** With what a cluster was started. */
interface Start {
  readonly version: string;
  readonly arguments?: ProcessArguments;
  readonly testCommands?: boolean;
}

/**
 * What the behaviour of a cluster depends on: the one place that commands read it from (`ClusterContext.parameters`).
 * It joins, the later before the earlier: the server's defaults, the deployment's process arguments, what
 * `setDefaultRWConcern`, `setClusterParameter` and `setFeatureCompatibilityVersion` have stored, and what
 * `setParameter` has set since the cluster was opened. Getters cost a field access: they may be read per command.
 */
export class ServerParameters {
  readonly #store: ClusterStore;
  /** How much is written to the log. */
  readonly verbosity = new Verbosity();
  /** Which operations are kept. */
  readonly profiler = new Profiler();
  /** How often `fsync` holds writes back. */
  writeLocks = 0;
  /** Megabytes of free space from which on files are compacted, while they are. */
  compacting: bigint | undefined;
  /** Why the writes of users are refused, while they are. */
  writeBlock: string | undefined;
  /** Told when somebody has said how often expired documents are looked for. */
  onExpirySet = () => {};
  readonly #set = new Map<string, unknown>();
  #start: Start;
  #cluster: ClusterParameters = clusterParameterDefaults;
  #readConcern: string | undefined;
  #writeConcern: WriteConcernDefault | undefined;
  #compatibility = '';
  #maxTimeMS = 0;
  #noTableScan = false;
  #transactionSeconds = 60;

  constructor(store: ClusterStore, start: Start) {
    this.#store = store;
    this.#start = start;
    this.load();
  }

  /** Takes over other process arguments or another version. */
  configure(start: Start): void {
    this.#start = start;
    this.load();
  }

  /** Commands for tests are answered. */
  get testCommands(): boolean {
    return this.#start.testCommands === true;
  }

  /** The level of reads that name none; absent: `local`. */
  get defaultReadConcern(): string | undefined {
    return this.#readConcern;
  }

  /** The concern of writes that name none; absent: a majority, without a time limit. */
  get defaultWriteConcern(): WriteConcernDefault | undefined {
    return this.#writeConcern;
  }

  /** The limit of reads that name none, in milliseconds; 0 is none. */
  get defaultMaxTimeMS(): number {
    return this.#maxTimeMS;
  }

  /** A query that would visit a whole collection fails with `NoQueryExecutionPlans`. */
  get noTableScan(): boolean {
    return this.#noTableScan;
  }

  /** False: `$where`, `$function` and `$accumulator` are refused. */
  get javascriptEnabled(): boolean {
    return this.arguments.javascriptEnabled ?? true;
  }

  /** How long a transaction may be open, in seconds of machine time. */
  get transactionLifetimeLimitSeconds(): number {
    return this.#transactionSeconds;
  }

  /** How often expired documents are looked for, in seconds of machine time. */
  get ttlMonitorSleepSecs(): number {
    return Number(this.value('ttlMonitorSleepSecs'));
  }

  get ttlMonitorEnabled(): boolean {
    return this.value('ttlMonitorEnabled') === true;
  }

  /** How large the oplog may grow; absent: a size of the engine's own. */
  get oplogSizeMB(): number | undefined {
    return this.arguments.oplogSizeMB ?? undefined;
  }

  /** Entries younger than this are kept although the oplog is over its size; 0: none. */
  get oplogMinRetentionHours(): number {
    return this.arguments.oplogMinRetentionHours ?? 0;
  }

  /** Seconds after which pre- and post-images are removed; absent: with the oplog entry they belong to. */
  get preAndPostImagesExpireAfterSeconds(): number | undefined {
    const { expireAfterSeconds } = this.#cluster.changeStreamOptions.preAndPostImages;
    if (typeof expireAfterSeconds === 'bigint') return Number(expireAfterSeconds);
    const given = this.arguments.changeStreamOptionsPreAndPostImagesExpireAfterSeconds ?? -1;
    return given > 0 ? given : undefined;
  }

  /** `8.0`: what `setFeatureCompatibilityVersion` has set, else that of the version. */
  get featureCompatibilityVersion(): string {
    return this.#compatibility;
  }

  get arguments(): ProcessArguments {
    return this.#start.arguments ?? {};
  }

  get clusterParameters(): ClusterParameters {
    return this.#cluster;
  }

  /** What `getParameter` answers for a name of the table. */
  value(name: string): unknown {
    const special = specials[name];
    if (special !== undefined) return special(this);
    return this.#set.has(name) ? this.#set.get(name) : parameterTable.get(name)?.value;
  }

  /** Sets a parameter that `setParameter` may set; until the cluster is opened again. */
  set(name: string, value: unknown): void {
    this.#set.set(name, value);
    this.#settle();
    if (name === 'ttlMonitorSleepSecs') this.onExpirySet();
  }

  /** Reads again what is stored: after a command has changed it, or its change was undone. */
  load(): void {
    this.#cluster = readClusterParameters(this.#store);
    const defaults = readStored(this.#store, SETTINGS, CONCERN_DEFAULTS);
    this.#readConcern =
      defaults?.document('defaultReadConcern')?.string('level') ?? this.arguments.defaultReadConcern;
    this.#writeConcern = storedWriteConcern(defaults) ?? writeConcernOf(this.arguments.defaultWriteConcern);
    this.#compatibility =
      readStored(this.#store, VERSIONS, FEATURE_COMPATIBILITY)?.string('version') ??
      majorOf(this.#start.version);
    this.#settle();
  }

  #settle(): void {
    const {
      defaultMaxTimeMS = 0,
      noTableScan = false,
      transactionLifetimeLimitSeconds = 60,
    } = this.arguments;
    const ofCluster = Number(this.#cluster.defaultMaxTimeMS.readOperations);
    this.#maxTimeMS = ofCluster > 0 ? ofCluster : defaultMaxTimeMS;
    this.#noTableScan = (this.#set.get('notablescan') ?? noTableScan) === true;
    this.#transactionSeconds = Number(
      this.#set.get('transactionLifetimeLimitSeconds') ?? transactionLifetimeLimitSeconds,
    );
  }
}

/** Parameters whose value is kept elsewhere than in the table. */
const specials: Readonly<Record<string, (parameters: ServerParameters) => unknown>> = {
  enableTestCommands: (parameters) => parameters.testCommands,
  featureCompatibilityVersion: (parameters) => ({ version: parameters.featureCompatibilityVersion }),
  logComponentVerbosity: (parameters) => parameters.verbosity.toDocument(),
  logLevel: (parameters) => parameters.verbosity.level,
  notablescan: (parameters) => parameters.noTableScan,
  transactionLifetimeLimitSeconds: (parameters) => parameters.transactionLifetimeLimitSeconds,
};

function readClusterParameters(store: ClusterStore): ClusterParameters {
  const found = allStored(store, CLUSTER_PARAMETERS).map((document) => {
    const { _id, ...fields } = document.toObject();
    return [String(_id), fields];
  });
  return { ...clusterParameterDefaults, ...Object.fromEntries(found) };
}

function storedWriteConcern(defaults: RawDocument | undefined): WriteConcernDefault | undefined {
  const concern = defaults?.document('defaultWriteConcern')?.toObject();
  if (concern === undefined) return undefined;
  const { w, j, wtimeout } = concern;
  return {
    w: typeof w === 'string' ? w : Number(w ?? 1),
    ...(j === undefined ? {} : { j: j === true }),
    wtimeout: Number(wtimeout ?? 0),
  };
}

/** `"1"`, `"majority"`, as process arguments name it. */
function writeConcernOf(text: string | undefined): WriteConcernDefault | undefined {
  if (text === undefined) return undefined;
  return { w: /^\d+$/.test(text) ? Number(text) : text, wtimeout: 0 };
}

function majorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
