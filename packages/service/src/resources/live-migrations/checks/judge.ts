import { type Survey, sharesMember } from '../protocol.ts';
import type { Wish } from '../wish.ts';

/** The destination of a migration. */
export interface Target {
  readonly sharded: boolean;
  /** Of all shards. */
  readonly members: readonly string[];
  /** `8.0` */
  readonly majorVersion: string;
  /** Bytes. */
  readonly disk: number;
  readonly used: number;
  /** `database.collection` of what it holds. */
  readonly namespaces: readonly string[];
}

/** The oldest source; collections that stay consistent while they are copied need the changes that it tells. */
const OLDEST = 6;
/** What a migration copies in a second at the least, as far as its source has to remember changes. */
const SLOWEST_BYTES_PER_S = 2_000_000;
/** A migration host that was away for so long goes on. */
const LEAST_OPLOG_HOURS = 1;

/** What stands in the way of a migration; nothing where it is possible. */
export function judge(source: Survey, target: Target, wish: Wish): string | undefined {
  return (
    itself(source, target) ??
    versions(source, target) ??
    kinds(source, target, wish) ??
    shardingEntries(source, wish) ??
    (wish.drop ? undefined : names(source, target)) ??
    disk(source, target, wish) ??
    oplog(source)
  );
}

/** What is to be copied would be dropped, or copied over itself. */
function itself(source: Survey, target: Target): string | undefined {
  if (!sharesMember(source.members, target.members)) return undefined;
  return 'The source is the destination itself.';
}

function versions(source: Survey, target: Target): string | undefined {
  const from = majorOf(source.featureCompatibilityVersion);
  const to = majorOf(target.majorVersion);
  if (from.major < OLDEST)
    return `The source runs version ${source.version}; it has to be ${OLDEST}.0 or later.`;
  if (from.major !== to.major || from.minor > to.minor) {
    return `The source has the feature compatibility version ${source.featureCompatibilityVersion}, which the destination with version ${target.majorVersion} does not take: both have to be of one major version, and the destination no older.`;
  }
  return undefined;
}

function majorOf(version: string): { readonly major: number; readonly minor: number } {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return { major, minor };
}

function kinds(source: Survey, target: Target, wish: Wish): string | undefined {
  if (source.sharded && !target.sharded) return 'The source is sharded, and the destination a replica set.';
  if (!source.sharded && target.sharded && wish.sharding === undefined)
    return 'The source is a replica set, and the destination sharded: `sharding` has to say what is sharded there.';
  if (wish.sharding && (source.sharded || !target.sharded))
    return '`sharding` is for a replica set that becomes a sharded cluster.';
  return undefined;
}

function shardingEntries({ namespaces }: Survey, { sharding }: Wish): string | undefined {
  const named = (sharding?.shardingEntries ?? []).map(
    ({ database, collection }) => `${database}.${collection}`,
  );
  const missing = named.find((name) => !namespaces.includes(name));
  if (missing !== undefined) return `The source has no collection ${missing}, which is to be sharded.`;
  const twice = named.find((name, index) => named.indexOf(name) < index);
  return twice === undefined ? undefined : `The collection ${twice} is to be sharded by two keys.`;
}

function names(source: Survey, target: Target): string | undefined {
  const taken = new Set(target.namespaces.map((name) => name.toLowerCase()));
  const clash = source.namespaces.find((name) => taken.has(name.toLowerCase()));
  if (clash === undefined) return undefined;
  return `The destination has a collection ${clash} already, as the source has.`;
}

function disk(source: Survey, target: Target, { drop }: Wish): string | undefined {
  const free = target.disk - (drop ? 0 : target.used);
  if (source.bytes <= free) return undefined;
  return `The source holds ${megabytes(source.bytes)} MB, and the disk of the destination has room for ${megabytes(free)} MB.`;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

function oplog({ oplogHours, bytes }: Survey): string | undefined {
  const needed = Math.max(LEAST_OPLOG_HOURS, bytes / SLOWEST_BYTES_PER_S / 3600);
  if (oplogHours === undefined || oplogHours >= needed) return undefined;
  return `The oplog of the source remembers ${oplogHours.toFixed(1)} hours; the migration needs ${needed.toFixed(1)}.`;
}
