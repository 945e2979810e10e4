import type { Engine } from '@portolan/engine/interface/calls';
import type { NewEngine, ServerFact } from '@portolan/engine/interface/capabilities';
import type { ClockSetting, MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Ids } from '@portolan/foundation/ids';
import type { KeyFolder } from '@portolan/foundation/keys/key-folder';
import type { Log } from '@portolan/foundation/log';
import type { Outgoing } from '@portolan/foundation/outgoing/outgoing';
import type { Random } from '@portolan/foundation/random';
import type { SecretBox } from '@portolan/foundation/secret-box';
import type { AdoptedConnection, AdoptedEngine, Look } from '../adopted/index.ts';
import type { Inspector } from '../api/inspect/inspector.ts';
import { extensionsOf, operationsOf } from '../api/operation.ts';
import type { EventHub, EventTypes } from '../events/index.ts';
import type { EngineBackups, KubernetesEngine } from '../kubernetes/index.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Store, StoredClock } from '../store/index.ts';

export type { EngineBackups };

/** Host names of members in connection strings. */
export interface HostNaming {
  /** Domain of the members' names; absent if connection strings contain addresses. */
  readonly domain?: string | undefined;
  /** Address of the DNS server that the service runs for this domain. */
  readonly dns?: { readonly host: string; readonly port: number } | undefined;
  readonly tls: boolean;
  /** Whether a hyphen precedes the project mark, as in v1.0 (docs/contract/api.md 2.18). */
  readonly hyphens?: boolean;
}

/** The host of a new cluster. `engine` and `engineFacts` are absent for the embedded engine. */
interface NewHost {
  readonly host: string;
  readonly engine?: NewEngine;
  readonly engineFacts?: readonly ServerFact[];
}

/** The engine hosts that this instance can reach. A cluster stays on the host that created it. */
export interface EngineHosts {
  /** Id of this instance's own host. */
  readonly local: string;
  /** Returns where the service runs new clusters whose nodes are in a region. */
  readonly forNew: (provider: string, region: string) => NewHost;
  /**
   * Access to the Kubernetes resources of clusters; undefined if the service is not connected to a Kubernetes cluster.
   */
  readonly resources: Pick<KubernetesEngine, 'foreignChange' | 'putBack'> | undefined;
  /**
   * Access to the snapshots of a host whose engine stores them itself. Undefined for hosts whose snapshots are in the
   * snapshot store of the service.
   */
  backupsAt(this: void, host: string): EngineBackups | undefined;
  /**
   * Returns the engine of a host. Throws `NotYet` if this instance cannot reach the host. A task that calls this is
   * then retried, possibly on another instance.
   */
  at(id: string): Engine;
  /** Returns the ids of the hosts whose tasks this instance can run. */
  reachable(): readonly string[];
  /**
   * Whether this instance does the periodic work for the clusters of a host. If the instance that does this work stops,
   * another instance takes over within seconds. Two instances may do the work at the same time during such a takeover,
   * and when the first instance runs again.
   */
  keeps(this: void, host: string): boolean;
  /**
   * Returns the ids of connected hosts that have not responded for 20 seconds (`SILENT_MS`). Their processes
   * probably hang.
   */
  silent(): readonly string[];
  /**
   * Inspects a deployment that runs outside Portolan. If the deployment does not reply, throws an error with the
   * reason.
   */
  look(connection: AdoptedConnection): Promise<Look>;
  /** See `AdoptedEngine`. */
  readonly refresh: AdoptedEngine['refresh'];
  readonly dropDatabases: AdoptedEngine['dropDatabases'];
  readonly revokeDrops: AdoptedEngine['revokeDrops'];
  readonly takenIn: AdoptedEngine['takenIn'];
  readonly replayed: AdoptedEngine['replayed'];
  /** Sends a changed setting of service time to all reachable hosts. */
  setClock(setting: ClockSetting): Promise<void>;
}

/** Settings for access to cloud providers. Environment variables contain all other settings for this access. */
export interface Clouds {
  /**
   * STS (security token service) endpoint for AWS roles. If it is undefined, the service uses its own credentials for
   * all roles.
   */
  readonly stsUrl: string | undefined;
  /**
   * S3 endpoint. If it is undefined, the service uses the endpoint from the environment or, if there is none, the
   * endpoint of Amazon.
   */
  readonly s3Url: string | undefined;
  readonly azureClientSecret: string | undefined;
  readonly azureStorageKey: string | undefined;
  /** Whether URLs from callers may point to private addresses. */
  readonly privateTargets: boolean;
}

/** A saved state of the whole service. */
export interface SavedState {
  readonly name: string;
  /** Time at which the state was saved, in machine time. */
  readonly saved: Date;
  readonly version: string;
  readonly clusters: number;
  readonly bytes: number;
}

/** A saved state that this version of the service cannot read. */
interface UnusableState {
  readonly name: string;
  readonly problem: string;
}

/** A resource or collection that differs between two states. */
export interface StateDifference {
  readonly kind: 'COLLECTION' | 'RESOURCE';
  /** Name of the resource's table; `collection` for a collection. */
  readonly type: string;
  readonly id: string;
  readonly name?: string;
  readonly change: 'ADDED' | 'CHANGED' | 'REMOVED';
}

/** Saves and restores the whole service, including its databases. */
export interface States {
  list(): Promise<(SavedState | UnusableState)[]>;
  save(name: string): Promise<SavedState>;
  /**
   * Stops the service and starts it again in a saved state. Requests wait until the service has started. `callers` is
   * the number of requests that wait for the result. When the promise resolves, this object is closed, and a new object
   * has replaced it.
   */
  restore(name: string, callers: number): Promise<void>;
  /** Restores the state in which the service was after its first start. */
  reset(callers: number): Promise<void>;
  remove(name: string): Promise<void>;
  /** Compares a state with another state; by default, with the current state. */
  compare(name: string, other: string | undefined): Promise<StateDifference[]>;
  /** Makes the current state the one that `reset` restores. */
  keepFirst(): Promise<void>;
}

/** The result of an entry of a seed. All documents in `data` of a cluster are one entry. */
export interface SeedResult {
  /** The position of the entry, such as `projects[0].clusters[1]`. */
  readonly place: string;
  readonly created: number;
  /** How many resources or documents existed before. */
  readonly existing: number;
}

/** A seed that was applied to the service, or is being applied. */
export interface SeedRun {
  readonly status: 'APPLIED' | 'APPLYING' | 'FAILED';
  readonly origin: 'REQUEST' | 'START';
  /** The seed without secrets and documents, so that the process does not keep them. */
  readonly seed: Readonly<Record<string, unknown>>;
  /** The results so far. */
  readonly results: readonly SeedResult[];
  /** Why the seed could not be applied. */
  readonly problem?: string;
}

/**
 * Applies seeds. The program that starts the service provides this object, which creates the contents of a seed by API
 * requests.
 */
export interface Seeds {
  /** Returns the last run in this process. */
  last(): SeedRun | undefined;
  /**
   * Checks a seed, and begins to apply it. Returns undefined if another seed is being applied. Throws a `ConfigError`
   * with the position of the error if the seed is invalid. If the seed cannot be applied, the reason is logged.
   */
  begin(document: object, log: Log): Promise<SeedRun | undefined>;
}

export interface ConsoleSettings {
  /** The folder with the files of the console; undefined if the console is not built. */
  readonly folder: string | undefined;
  /** The OpenID provider with which people log in. */
  readonly provider: OpenIdProvider | undefined;
}

/** An OpenID provider, and this service as its client. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** The secret of the client. Absent for a public client, which only PKCE protects. */
  readonly clientSecret: string | undefined;
}

/** The services that the handlers and tasks of all families can use. */
export interface Services {
  readonly store: Store;
  readonly clock: ServiceClock;
  /** The stored setting of service time. */
  readonly storedClock: StoredClock;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly ids: Ids;
  readonly secrets: SecretBox;
  readonly engines: EngineHosts;
  readonly states: States;
  readonly seeds: Seeds;
  /** The master keys of the local key providers. */
  readonly keys: KeyFolder;
  /** The storage of snapshots. */
  readonly snapshots: ObjectStore;
  /** Returns the storage of the snapshot copies in a region such as `AWS/EU_WEST_1`. */
  readonly copies: (region: string) => ObjectStore;
  /** Temporary folder of this instance, emptied at start. */
  readonly scratch: string;
  readonly clouds: Clouds;
  /** Outgoing connections: e-mail and other services. */
  readonly outgoing: Outgoing;
  readonly log: Log;
  /** Event types of all families. */
  readonly eventTypes: EventTypes;
  /** Ids and tags of all operations that are not reserved for the operator. */
  readonly operationNames: ReadonlySet<string>;
  /** How many days of service time events are kept. If undefined, they are kept forever. */
  readonly eventDays: number | undefined;
  /** Commit of the build, 40 hexadecimal characters. */
  readonly build: string;
  readonly naming: HostNaming;
  /** Base URL of the service, such as `https://127.0.0.1:8443`. */
  readonly publicUrl: string;
  /** The settings of the console; undefined if the console is turned off. */
  readonly console: ConsoleSettings | undefined;
  /** The last calls to this instance. */
  readonly inspector: Inspector;
  /** Delivers events as they are recorded, by any instance. */
  readonly eventHub: EventHub;
}

/** Declares an operation of the contract or of the vendor's service. */
export const operation = operationsOf<Services>();

/** Declares an extension: an operation that Portolan adds, with its own path. */
export const extension = extensionsOf<Services>();
