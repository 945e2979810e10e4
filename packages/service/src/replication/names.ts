/* This file defines names that both ends of a replication use. It does not load the driver. */

/**
 * Returns a text that identifies a replica set member, and thereby its deployment. The text does not depend on the
 * address that clients use.
 */
export const memberOf = (set: string, host: string) => `${set}/${host}`.toLowerCase();

/**
 * Whether two lists of members have a member in common. The deployments are then the same, or one is a shard of the
 * other.
 */
export function sharesMember(one: readonly string[], other: readonly string[]): boolean {
  return one.some((member) => other.includes(member));
}

/** The destination's database for the checkpoints of a replication. It is dropped when the replication ends. */
export const CHECKPOINTS = 'portolan_migration';
