import type { Tx } from '../store/store.ts';

/** Who did it. Without any of these fields it was the system. */
export interface Actor {
  readonly apiKeyId?: string;
  readonly publicKey?: string;
  readonly userId?: string;
  readonly username?: string;
  readonly remoteAddress?: string;
}

export const system: Actor = {};

/** A fact that happened in a project or an organization. */
export interface NewEvent {
  /** A name of a declared type: `CLUSTER_CREATED`. */
  readonly type: string;
  /** The organization, also of the project where `groupId` is given. */
  readonly orgId: string;
  readonly groupId?: string;
  readonly actor: Actor;
  /** The cluster it is about; feeds filter by it. */
  readonly clusterName?: string;
  readonly details?: EventDetails;
}

/** Fields of an event beyond the common ones, as the API answers them: its schema has each of them. */
export interface EventDetails {
  readonly accessListEntry?: string;
  readonly alertConfigId?: string;
  readonly alertId?: string;
  readonly currentValue?: { readonly number: number; readonly units: string };
  readonly customRoleName?: string;
  readonly dbUserUsername?: string;
  readonly hostname?: string;
  readonly metricName?: string;
  readonly port?: number;
  /** Why a cluster is not well, or something of it has failed. */
  readonly reason?: string;
  readonly replicaSetName?: string;
  readonly resourceId?: string;
  readonly resourceType?: string;
  readonly shardName?: string;
  readonly targetPublicKey?: string;
  readonly targetUsername?: string;
  readonly teamId?: string;
}

export interface EventRecord extends NewEvent {
  readonly id: string;
  /** Service time. */
  readonly created: Date;
}

/** Whose events: those of a project, or those of an organization and of its projects. */
export type EventOwner = { readonly groupId: string } | OrganizationEvents;

interface OrganizationEvents {
  readonly orgId: string;
  /** The projects that count; absent: all, also those that are gone. */
  readonly groupIds?: readonly string[];
}

/** Absent or empty filters let everything through. */
export interface EventFilter {
  readonly types?: readonly string[];
  readonly excludedTypes?: readonly string[];
  readonly clusterNames?: readonly string[];
  /** Both dates belong to the range. */
  readonly minDate?: Date;
  readonly maxDate?: Date;
}

/** Types of events, each with what it says: `{ CLUSTER_CREATED: 'Cluster was created' }`. */
export type EventTypes = Readonly<Record<string, string>>;

/** Runs in the transaction that recorded an event of one of `types`; what it throws undoes the change. */
export interface Subscription {
  readonly types: readonly string[];
  handle(tx: Tx, event: EventRecord): Promise<void>;
}
