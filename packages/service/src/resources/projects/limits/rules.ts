import { type FaultMaker, faults } from '@portolan/foundation/faults';
import { type Counter, countOf, type ReadTx } from '../../../store/index.ts';
import { projectCounters } from '../rules.ts';
import { limitValue } from './rows.ts';
import { LEAST_LIMIT } from './schema.ts';

export const limitFaults = faults({
  PROJECT_LIMIT_NOT_FOUND: [404, 'No limit named {0} exists.'],
  PROJECT_LIMIT_OUT_OF_RANGE: [400, 'The limit {0} may be from 1 to {1}.'],
});

/** One limit of a project. */
export interface Limit {
  /** The counter of the project that it bounds; none where nothing of the kind exists here. */
  readonly counter?: Counter;
  readonly defaultLimit: number;
  /** The most that a project may be given. Generous: these are one's own machines. */
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

/** The limit that a path names. */
export function requireLimitName(name: string): LimitName {
  const found = limitNames.find((each) => each === name);
  if (found === undefined) throw limitFaults.PROJECT_LIMIT_NOT_FOUND(name);
  return found;
}

export function limitNamed(name: LimitName): Limit {
  return limits[name];
}

/** The most nodes outside of any one region that clusters over several regions may have. */
export async function crossRegionLimit(tx: ReadTx, groupId: string): Promise<number> {
  const name = 'platform.project.security.networkAccess.crossRegionEntries';
  return (await limitValue(tx, groupId, name)) ?? limits[name].defaultLimit;
}

/** Throws `exceeded`, with the limit, when a project holds as many of a kind as it may. */
export async function assertWithin(
  tx: ReadTx,
  groupId: string,
  counter: Counter,
  exceeded: FaultMaker,
): Promise<void> {
  const name = limitNames.find((each) => limitNamed(each).counter === counter);
  if (name === undefined) return;
  const most = (await limitValue(tx, groupId, name)) ?? limits[name].defaultLimit;
  if ((await countOf(tx, counter, groupId)) >= most) throw exceeded(most);
}

/** Throws for a number that a limit cannot have. */
export function checkLimitValue(name: LimitName, value: number): void {
  const { maximumLimit } = limitNamed(name);
  if (value < LEAST_LIMIT || value > maximumLimit)
    throw limitFaults.PROJECT_LIMIT_OUT_OF_RANGE(name, maximumLimit);
}
