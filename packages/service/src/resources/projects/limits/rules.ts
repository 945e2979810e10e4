import type { FaultMaker } from '@portolan/foundation/faults';
import { type Counter, countOf, type ReadTx } from '../../../store/index.ts';
import { projectCounters } from '../rules.ts';
import { limitFaults } from './faults.ts';
import { limitValue } from './rows.ts';
import { MIN_LIMIT } from './schema.ts';

export interface Limit {
  /** The counter that the limit restricts. Absent if the service has no resources of this kind. */
  readonly counter?: Counter;
  readonly defaultLimit: number;
  /** The highest value that can be set. It is generous, since clusters run on the operator's own machines. */
  readonly maximumLimit: number;
}

const limits = {
  'platform.project.deployment.clusters': {
    counter: projectCounters.clusters,
    defaultLimit: 25,
    maximumLimit: 10_000,
  },
  'platform.project.deployment.nodesPerPrivateLinkRegion': { defaultLimit: 50, maximumLimit: 90 },
  'platform.project.security.databaseAccess.users': {
    counter: projectCounters.databaseUsers,
    defaultLimit: 100,
    maximumLimit: 900,
  },
  'platform.project.security.databaseAccess.customRoles': {
    counter: projectCounters.customRoles,
    defaultLimit: 100,
    maximumLimit: 1_400,
  },
  'platform.project.security.networkAccess.crossRegionEntries': { defaultLimit: 40, maximumLimit: 220 },
  'platform.project.security.networkAccess.entries': {
    counter: projectCounters.accessList,
    defaultLimit: 200,
    maximumLimit: 1_000,
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof limits;

export const limitNames = Object.keys(limits) as LimitName[];

/** Returns the name of a limit with its type. Throws PROJECT_LIMIT_NOT_FOUND for other names. */
export function requireLimitName(name: string): LimitName {
  const found = limitNames.find((each) => each === name);
  if (found === undefined) throw limitFaults.PROJECT_LIMIT_NOT_FOUND(name);
  return found;
}

export function limitOf(name: LimitName): Limit {
  return limits[name];
}

/**
 * Returns the project's limit of nodes in other regions. For each region, the multi-region clusters of the project may
 * have at most this many nodes in all other regions together.
 */
export async function crossRegionLimit(tx: ReadTx, groupId: string): Promise<number> {
  const name = 'platform.project.security.networkAccess.crossRegionEntries';
  return (await limitValue(tx, groupId, name)) ?? limits[name].defaultLimit;
}

/** Throws `exceeded`, with the limit as parameter, if a counter of a project has reached its limit. */
export async function assertWithin(
  tx: ReadTx,
  groupId: string,
  counter: Counter,
  exceeded: FaultMaker,
): Promise<void> {
  const name = limitNames.find((each) => limitOf(each).counter === counter);
  if (name === undefined) return;
  const most = (await limitValue(tx, groupId, name)) ?? limits[name].defaultLimit;
  if ((await countOf(tx, counter, groupId)) >= most) throw exceeded(most);
}

/** Throws if the value is outside the range of the limit. */
export function checkLimitValue(name: LimitName, value: number): void {
  const { maximumLimit } = limitOf(name);
  if (value < MIN_LIMIT || value > maximumLimit)
    throw limitFaults.PROJECT_LIMIT_OUT_OF_RANGE(name, maximumLimit);
}
