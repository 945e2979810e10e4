import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';

export {
  ADOPTED_HOST,
  announceHost,
  doesSharedWork,
  ensureHost,
  type KnownHost,
  KUBERNETES_HOST,
  knownHosts,
} from './hosts.ts';
export { keepHosts, releaseHosts } from './rows.ts';

/** Engine hosts. Instances find each other's hosts through this table. No operation shows them. */
export const family: Family = { name: 'engine-hosts', operations: [], migrations };
