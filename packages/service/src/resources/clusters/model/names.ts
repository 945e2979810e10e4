import { clusterFaults } from './faults.ts';

/** Names of clusters of all kinds. */
export const NAME_PATTERN = '^[a-zA-Z0-9][a-zA-Z0-9-]*$';
export const MAX_NAME = 64;
/**
 * Number of characters at the start of a cluster name that must be unique within a project, because host names contain
 * only these characters.
 */
export const NAME_PREFIX = 23;

/**
 * Whether two names are the same. Host names contain the names in lower case, so names that differ only by case are the
 * same.
 */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns six characters that distinguish the clusters of different projects in host names. */
export function projectMark(groupId: string): string {
  return BigInt(`0x${groupId}`).toString(36).slice(-6).padStart(6, '0');
}

export function duplicateName(groupId: string, name: string) {
  return clusterFaults.DUPLICATE_CLUSTER_NAME('cluster or serverless instance', name, groupId);
}

const form = new RegExp(NAME_PATTERN);

export function checkName(name: string): void {
  if (!form.test(name)) throw clusterFaults.CLUSTER_NAME_INVALID(name).at('name');
  if (name.length > MAX_NAME) throw clusterFaults.CLUSTER_NAME_TOO_LONG(name, MAX_NAME).at('name');
  const prefix = name.slice(0, NAME_PREFIX);
  if (prefix.endsWith('-'))
    throw clusterFaults.CLUSTER_NAME_PREFIX_INVALID(name, NAME_PREFIX, prefix).at('name');
  if (/^platform-[a-z0-9]{6}$/.test(name))
    throw clusterFaults.PLATFORM_RESERVED_CLUSTER_NAME(name).at('name');
}
