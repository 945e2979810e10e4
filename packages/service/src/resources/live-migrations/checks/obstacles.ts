import { sharesMember } from '../../../replication/names.ts';
import type { Survey } from '../protocol.ts';
import type { MigrationSpec } from '../request.ts';

/** The destination of a migration. */
export interface Target {
  readonly sharded: boolean;
  /** The members of all shards. */
  readonly members: readonly string[];
  /** The feature compatibility version of the servers, such as `8.0`. */
  readonly version: string;
  /** The disk size in bytes. */
  readonly disk: number;
  readonly used: number;
  /** The full name of every collection: `database.collection`. */
  readonly namespaces: readonly string[];
}

/** The oldest supported major version of a source. Older versions lack change events that a consistent copy needs. */
const OLDEST = 6;
/** The assumed minimum copy rate, from which the required oplog window is computed. */
const SLOWEST_BYTES_PER_S = 2_000_000;
/** The minimum oplog window in hours, so that a migration host can resume after an outage. */
const MIN_OPLOG_HOURS = 1;

/** Returns the first obstacle to a migration; undefined if there is none. */
export function findObstacle(source: Survey, target: Target, spec: MigrationSpec): string | undefined {
  return (
    sameDeployment(source, target) ??
    versions(source, target) ??
    kinds(source, target, spec) ??
    shardingEntries(source, spec) ??
    (spec.drop ? undefined : names(source, target)) ??
    disk(source, target, spec) ??
    oplog(source)
  );
}

/**
 * Rejects a source that is the same deployment as the destination, since a migration drops or overwrites the
 * destination.
 */
function sameDeployment(source: Survey, target: Target): string | undefined {
  if (!sharesMember(source.members, target.members)) return undefined;
  return 'The source and the destination are the same deployment.';
}

function versions(source: Survey, target: Target): string | undefined {
  const from = majorOf(source.featureCompatibilityVersion);
  const to = majorOf(target.version);
  if (from.major < OLDEST)
    return `The source runs version ${source.version}; version ${OLDEST}.0 or later is required.`;
  if (from.major !== to.major || from.minor > to.minor) {
    const differs = `The source has the feature compatibility version ${source.featureCompatibilityVersion}, which is not compatible with version ${target.version} of the destination: both must have the same major version, and the destination must not be older.`;
    if (from.major !== to.major) return differs;
    const lowering = `{setFeatureCompatibilityVersion: "${target.version}", confirm: true}`;
    return `${differs} To lower the version of the source, run the command ${lowering} on its admin database.`;
  }
  return undefined;
}

function majorOf(version: string): { readonly major: number; readonly minor: number } {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { major, minor };
}

function kinds(source: Survey, target: Target, spec: MigrationSpec): string | undefined {
  if (source.sharded && !target.sharded)
    return 'The source is sharded, but the destination is a replica set.';
  if (!source.sharded && target.sharded && spec.sharding === undefined)
    return 'The source is a replica set, but the destination is sharded: `sharding` is required.';
  if (spec.sharding && (source.sharded || !target.sharded))
    return '`sharding` is allowed only for a replica set source and a sharded destination.';
  return undefined;
}

function shardingEntries({ namespaces }: Survey, { sharding }: MigrationSpec): string | undefined {
  const named = (sharding?.shardingEntries ?? []).map(
    ({ database, collection }) => `${database}.${collection}`,
  );
  const missing = named.find((name) => !namespaces.includes(name));
  if (missing !== undefined) return `The source has no collection ${missing}, which \`sharding\` names.`;
  const duplicate = named.find((name, index) => named.indexOf(name) < index);
  return duplicate === undefined ? undefined : `\`sharding\` names the collection ${duplicate} twice.`;
}

function names(source: Survey, target: Target): string | undefined {
  const taken = new Set(target.namespaces.map((name) => name.toLowerCase()));
  const clash = source.namespaces.find((name) => taken.has(name.toLowerCase()));
  if (clash === undefined) return undefined;
  return `The collection ${clash} of the source exists in the destination already.`;
}

function disk(source: Survey, target: Target, { drop }: MigrationSpec): string | undefined {
  const free = target.disk - (drop ? 0 : target.used);
  if (source.bytes <= free) return undefined;
  return `The source contains ${megabytes(source.bytes)} MB of data, but the disk of the destination has only ${megabytes(free)} MB free.`;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

function oplog({ oplogHours, bytes }: Survey): string | undefined {
  const needed = Math.max(MIN_OPLOG_HOURS, bytes / SLOWEST_BYTES_PER_S / 3600);
  if (oplogHours === undefined || oplogHours >= needed) return undefined;
  return `The oplog window of the source is ${oplogHours.toFixed(1)} hours, but the migration needs at least ${needed.toFixed(1)}.`;
}
