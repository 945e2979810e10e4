import type { Tx } from '../store/store.ts';

/** The caller that caused the event; empty if the service itself did. */
export interface Actor {
  readonly apiKeyId?: string;
  readonly publicKey?: string;
  readonly userId?: string;
  readonly username?: string;
  readonly remoteAddress?: string;
}

export const system: Actor = {};

/** An event of a project or organization, before it is recorded. */
export interface NewEvent {
  /** The name of a declared type, such as `CLUSTER_CREATED`. */
  readonly type: string;
  /** The organization; required even if `groupId` is given. */
  readonly orgId: string;
  readonly groupId?: string;
  readonly actor: Actor;
  /** The cluster that the event is about; feeds can filter by it. */
  readonly clusterName?: string;
  readonly details?: EventDetails;
}

/** Further fields of an event in the API. */
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
  /** Why a cluster is unhealthy, or an operation on it failed. */
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
  /** Service time at which the event was recorded. */
  readonly created: Date;
}

/** Selects events: those of a project, or those of an organization and its projects. */
export type EventOwner = { readonly groupId: string } | OrganizationEvents;

interface OrganizationEvents {
  readonly orgId: string;
  /** The projects to include; by default all, including deleted ones. */
  readonly groupIds?: readonly string[];
}

/** Whether an owner includes only some projects of an organization. */
export function isRestricted(owner: EventOwner): boolean {
  return 'groupIds' in owner && owner.groupIds !== undefined;
}

/** An absent or empty filter matches everything. */
export interface EventFilter {
  readonly types?: readonly string[];
  readonly excludedTypes?: readonly string[];
  readonly clusterNames?: readonly string[];
  /** The earliest and the latest date of events, both inclusive. */
  readonly minDate?: Date;
  readonly maxDate?: Date;
}

/** Whether a filter selects types or clusters. */
export function isSelective({ types, excludedTypes, clusterNames }: EventFilter): boolean {
  return [types, excludedTypes, clusterNames].some((list) => list !== undefined && list.length > 0);
}

/** Event types with their messages: `{ CLUSTER_CREATED: 'Cluster was created' }`. */
export type EventTypes = Readonly<Record<string, string>>;

/**
 * A handler that runs when an event of one of `types` is recorded, in the same transaction. If the handler throws,
 * the transaction is rolled back, including the change that caused the event.
 */
export interface Subscription {
  readonly types: readonly string[];
  handle(tx: Tx, event: EventRecord): Promise<void>;
}
