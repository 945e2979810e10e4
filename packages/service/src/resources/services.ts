import type { Engine } from '@portolan/engine/interface/calls';
import type { ClockSetting, MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Ids } from '@portolan/foundation/ids';
import type { KeyFolder } from '@portolan/foundation/keys/key-folder';
import type { Log } from '@portolan/foundation/log';
import type { Outgoing } from '@portolan/foundation/outgoing/outgoing';
import type { Random } from '@portolan/foundation/random';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { extensionsOf, operationsOf } from '../api/operation.ts';
import type { EventTypes } from '../events/index.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Store, StoredClock } from '../store/index.ts';

/** How members are named to drivers. */
export interface HostNaming {
  /** A domain that resolves to the members; absent: connection strings hold addresses. */
  readonly domain?: string | undefined;
  /** Where the service itself answers names below the domain. */
  readonly dns?: { readonly host: string; readonly port: number } | undefined;
  readonly tls: boolean;
  /** In the form of v1.0, where a hyphen stands before the mark of the project (contract 2.18). */
  readonly hyphens?: boolean;
}

/** The engine hosts that this instance can reach. A cluster stays on the host that it was made on. */
export interface EngineHosts {
  /** The id of this instance's own host. */
  readonly local: string;
  /** Throws `NotYet` when the host cannot be reached from here now: the task is tried again, maybe elsewhere. */
  at(id: string): Engine;
  /** Ids of the hosts that tasks can be run for here. */
  reachable(): readonly string[];
  /** Ids of the hosts that are connected and have not answered for ten seconds: their process stands still. */
  silent(): readonly string[];
  /** Tells every reachable host of a new setting of service time. */
  setClock(setting: ClockSetting): Promise<void>;
}

/** How the service acts at cloud providers, as far as its settings say it; the rest is in its environment. */
export interface Clouds {
  /** Where roles of AWS are assumed; absent: the service's own credentials count for all of them. */
  readonly stsUrl: string | undefined;
  /** Where buckets of AWS are; absent: what the environment names, or Amazon's. */
  readonly s3Url: string | undefined;
  readonly azureClientSecret: string | undefined;
  readonly azureStorageKey: string | undefined;
  /** Whether what callers name may be at any address. */
  readonly privateTargets: boolean;
}

/** The whole service as it was at one moment. */
export interface SavedState {
  readonly name: string;
  /** Machine time. */
  readonly saved: Date;
  readonly version: string;
  readonly clusters: number;
  readonly bytes: number;
}

/** One of which nothing else can be told. */
interface UnusableState {
  readonly name: string;
  readonly problem: string;
}

/** Something that one state has and another has not, or has otherwise. */
export interface StateDifference {
  readonly kind: 'COLLECTION' | 'RESOURCE';
  /** What it is: the name of its table; `collection` for one. */
  readonly type: string;
  readonly id: string;
  readonly name?: string;
  readonly change: 'ADDED' | 'CHANGED' | 'REMOVED';
}

/** What saves the whole service, its databases included, and brings it back. */
export interface States {
  list(): Promise<(SavedState | UnusableState)[]>;
  save(name: string): Promise<SavedState>;
  /**
   * Closes everything and opens it again as it was then; requests wait meanwhile. These services are closed when it
   * resolves, and others are in their place. `callers` is the number of requests that wait for this themselves.
   */
  restore(name: string, callers: number): Promise<void>;
  /** The same to what was there after the first start. */
  reset(callers: number): Promise<void>;
  remove(name: string): Promise<void>;
  /** How another state, or the service as it is now, differs from a state. */
  compare(name: string, other: string | undefined): Promise<StateDifference[]>;
  /** Keeps what is there for `reset`. */
  keepFirst(): Promise<void>;
}

/** What handlers and tasks of every resource may use. */
export interface Services {
  readonly store: Store;
  readonly clock: ServiceClock;
  /** Where the setting of service time is kept. */
  readonly storedClock: StoredClock;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly ids: Ids;
  readonly secrets: SecretBox;
  readonly engines: EngineHosts;
  readonly states: States;
  /** The master keys of the local key providers. */
  readonly keys: KeyFolder;
  /** Where snapshots are kept. */
  readonly snapshots: ObjectStore;
  /** Where copies of them are kept in a region, which is told as `AWS/EU_WEST_1`. */
  readonly copies: (region: string) => ObjectStore;
  /** A folder of this instance for what does not outlive it: emptied when it starts. */
  readonly scratch: string;
  readonly clouds: Clouds;
  /** The ways out to people and to other services. */
  readonly outgoing: Outgoing;
  readonly log: Log;
  /** Every type of event that a family declares. */
  readonly eventTypes: EventTypes;
  /** Ids and tags of the operations that are served to others than the operator. */
  readonly operationNames: ReadonlySet<string>;
  /** For how many days of service time events are kept; absent: for ever. */
  readonly eventDays: number | undefined;
  /** The commit of the build, 40 hexadecimal characters. */
  readonly build: string;
  readonly naming: HostNaming;
  /** Where callers reach the service: `https://127.0.0.1:8443`. */
  readonly publicUrl: string;
}

/** Declares an operation of contract or reference. */
export const operation = operationsOf<Services>();

/** Declares an operation beside them, with a path of its own. */
export const extension = extensionsOf<Services>();
