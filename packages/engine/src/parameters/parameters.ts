import type { RawDocument } from '../bson/raw.ts';
import type { ProcessArguments } from '../interface/engine.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import { type ClusterParameters, clusterParameterDefaults } from './cluster-parameters.ts';
import { parameterTable } from './known.ts';
import { Profiler } from './profiler.ts';
import { allStored, type CollectionName, readStored } from './stored.ts';
import { Verbosity } from './verbosity.ts';

export const CLUSTER_PARAMETERS: CollectionName = { database: 'config', collection: 'clusterParameters' };
export const SETTINGS: CollectionName = { database: 'config', collection: 'settings' };
export const VERSIONS: CollectionName = { database: 'admin', collection: 'system.version' };
export const CONCERN_DEFAULTS = 'ReadWriteConcernDefaults';
export const FEATURE_COMPATIBILITY = 'featureCompatibilityVersion';

export interface WriteConcernDefault {
  readonly w: number | string;
  readonly j?: boolean;
  /** The time limit in milliseconds; 0 means no limit. */
  readonly wtimeout: number;
}

/** The settings with which a cluster was started. */
interface Start {
  readonly version: string;
  readonly arguments?: ProcessArguments;
  readonly testCommands?: boolean;
}

/**
 * The settings that determine the behavior of a cluster. All commands read them here (`ClusterContext.parameters`).
 * There are four sources, each of which overrides the sources before it: the server's defaults; the deployment's
 * process arguments; values that `setDefaultRWConcern`, `setClusterParameter` and `setFeatureCompatibilityVersion` have
 * stored; and values that `setParameter` has set since the cluster was opened. A getter only reads a field, so a
 * command can call it whenever it needs the value.
 */
export class ServerParameters {
  readonly #store: ClusterStore;
  /** The log verbosity by component. */
  readonly verbosity = new Verbosity();
  /** The profiling levels by database. */
  readonly profiler = new Profiler();
  /** Number of `fsync` locks on the cluster. A lock blocks all writes. */
  writeLocks = 0;
  /** The free space in megabytes above which `autoCompact` compacts files. Undefined while `autoCompact` is off. */
  compacting: bigint | undefined;
  /** The reason why writes of users are blocked. Undefined while they are not blocked. */
  writeBlock: string | undefined;
  /** Called when a command sets the interval of the TTL monitor. */
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

  /** Applies new process arguments or a new version. */
  configure(start: Start): void {
    this.#start = start;
    this.load();
  }

  /** True if test commands are enabled. */
  get testCommands(): boolean {
    return this.#start.testCommands === true;
  }

  /** The read concern level of reads that do not set a level. Undefined means `local`. */
  get defaultReadConcern(): string | undefined {
    return this.#readConcern;
  }

  /** The write concern of writes that do not set a write concern. Undefined means a majority without a time limit. */
  get defaultWriteConcern(): WriteConcernDefault | undefined {
    return this.#writeConcern;
  }

  /** The time limit in milliseconds of reads that do not set a limit. The value 0 means no limit. */
  get defaultMaxTimeMS(): number {
    return this.#maxTimeMS;
  }

  /** If true, a query that needs a collection scan fails with `NoQueryExecutionPlans`. */
  get noTableScan(): boolean {
    return this.#noTableScan;
  }

  /** If false, `$where`, `$function` and `$accumulator` are rejected. */
  get javascriptEnabled(): boolean {
    return this.arguments.javascriptEnabled ?? true;
  }

  /** Maximum duration of a transaction, in seconds of machine time. */
  get transactionLifetimeLimitSeconds(): number {
    return this.#transactionSeconds;
  }

  /** The interval of the TTL monitor, in seconds of machine time. */
  get ttlMonitorSleepSecs(): number {
    return Number(this.value('ttlMonitorSleepSecs'));
  }

  get ttlMonitorEnabled(): boolean {
    return this.value('ttlMonitorEnabled') === true;
  }

  /** Maximum size of the oplog in megabytes. Undefined means the engine's default. */
  get oplogSizeMB(): number | undefined {
    return this.arguments.oplogSizeMB ?? undefined;
  }

  /**
   * The age in hours up to which oplog entries are kept even if the oplog exceeds its maximum size. With 0, only the
   * size decides.
   */
  get oplogMinRetentionHours(): number {
    return this.arguments.oplogMinRetentionHours ?? 0;
  }

  /** The age in seconds at which pre-images expire. Undefined if a pre-image expires together with its oplog entry. */
  get preAndPostImagesExpireAfterSeconds(): number | undefined {
    const { expireAfterSeconds } = this.#cluster.changeStreamOptions.preAndPostImages;
    if (typeof expireAfterSeconds === 'bigint') return Number(expireAfterSeconds);
    const given = this.arguments.changeStreamOptionsPreAndPostImagesExpireAfterSeconds ?? -1;
    return given > 0 ? given : undefined;
  }

  /**
   * The value that `setFeatureCompatibilityVersion` has set, such as `8.0`. The default is the version of the server.
   */
  get featureCompatibilityVersion(): string {
    return this.#compatibility;
  }

  get arguments(): ProcessArguments {
    return this.#start.arguments ?? {};
  }

  get clusterParameters(): ClusterParameters {
    return this.#cluster;
  }

  /** Returns the value that `getParameter` reports for a parameter. */
  value(name: string): unknown {
    const special = specials[name];
    if (special !== undefined) return special(this);
    return this.#set.has(name) ? this.#set.get(name) : parameterTable.get(name)?.value;
  }

  /** Sets a parameter until the cluster is closed. */
  set(name: string, value: unknown): void {
    this.#set.set(name, value);
    this.#resolve();
    if (name === 'ttlMonitorSleepSecs') this.onExpirySet();
  }

  /** Loads the stored settings again. Called when a command has changed them, or when such a change was rolled back. */
  load(): void {
    this.#cluster = readClusterParameters(this.#store);
    const defaults = readStored(this.#store, SETTINGS, CONCERN_DEFAULTS);
    this.#readConcern =
      defaults?.document('defaultReadConcern')?.string('level') ?? this.arguments.defaultReadConcern;
    this.#writeConcern = storedWriteConcern(defaults) ?? writeConcernOf(this.arguments.defaultWriteConcern);
    this.#compatibility =
      readStored(this.#store, VERSIONS, FEATURE_COMPATIBILITY)?.string('version') ??
      releaseOf(this.#start.version);
    this.#resolve();
  }

  #resolve(): void {
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

/** The parameters whose values are not in the table. For each parameter, a function returns its value. */
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

/** Parses a write concern in the form of process arguments, which is `"1"` or `"majority"`. */
function writeConcernOf(text: string | undefined): WriteConcernDefault | undefined {
  if (text === undefined) return undefined;
  return { w: /^\d+$/.test(text) ? Number(text) : text, wtimeout: 0 };
}

/** Returns the release of a version, such as `8.0` for `8.0.29`. */
export function releaseOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}
