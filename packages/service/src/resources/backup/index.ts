import { type Family, operationsIn } from '../family.ts';
import { buckets } from './buckets/index.ts';
import { compliance } from './compliance/index.ts';
import { continuous } from './continuous/index.ts';
import { copies } from './copies/index.ts';
import { downloads } from './downloads/index.ts';
import { exports } from './exports/index.ts';
import { followForgotten, followRemoval, keepProjectWithSnapshots } from './hooks.ts';
import { migrations } from './migrations.ts';
import { oplogCopies } from './oplog-copies/index.ts';
import type { Part } from './part.ts';
import { restores } from './restores/index.ts';
import { schedules } from './schedules/index.ts';
import { snapshots } from './snapshots/index.ts';
import { tenants } from './tenants/index.ts';

export { bucketStore, firstBucket } from './buckets/bucket-store.ts';
export { type BucketLocation, exportBucketsOf } from './buckets/rows.ts';
export { folderOf } from './exports/prefix.ts';
export { dataRestored } from './restores/topics.ts';
export { type BackupAges, backupAges } from './schedules/ages.ts';

/**
 * Hooks for the same topic, such as the removal of a cluster, run in the order of this list. For example, snapshots are
 * deleted before the schedule and the archive of their cluster.
 */
const parts: readonly Part[] = [
  compliance,
  buckets,
  exports,
  snapshots,
  copies,
  restores,
  downloads,
  { hooks: [followForgotten, followRemoval, keepProjectWithSnapshots] },
  schedules,
  tenants,
  continuous,
  oplogCopies,
];

export const family: Family = {
  name: 'backup',
  operations: operationsIn(...parts.flatMap(({ operations = [] }) => operations)),
  parameters: Object.assign({}, ...parts.map(({ parameters }) => parameters)),
  migrations,
  tasks: parts.flatMap(({ tasks = [] }) => tasks),
  mounts: parts.flatMap(({ mounts = [] }) => mounts),
  hooks: parts.flatMap(({ hooks = [] }) => hooks),
  eventTypes: Object.assign({}, ...parts.map(({ eventTypes }) => eventTypes)),
  faults: parts.flatMap(({ faults = [] }) => faults),
};
