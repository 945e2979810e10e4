import type { FaultMaker } from '../../../runtime/faults.ts';
import { type Counter, countOf, type ReadTx } from '../../../store/index.ts';
import { projectCounters } from '../rules.ts';
import { limitValue } from './rows.ts';

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
