/* Names that both ends of a replication use. This file does not load the driver. */

/** Returns the identity of a replica set member. It identifies a deployment whatever address is used to reach it. */
export const memberOf = (set: string, host: string) => `${set}/${host}`.toLowerCase();

/** Whether two deployments share a member: they are the same deployment, or one is a shard of the other. */
export function sharesMember(one: readonly string[], other: readonly string[]): boolean {
  return one.some((member) => other.includes(member));
}

/** The destination's database for the checkpoints of a replication. It is dropped when the replication ends. */
export const CHECKPOINTS = 'portolan_migration';
