import type { FoundServers, RefusedArgument } from '@portolan/engine/interface/engine';
import type { Document, MongoClient } from 'mongodb';
import { codeOf } from '../replication/error-codes.ts';
import { COMMAND_MS, endingAfter } from '../replication/limits.ts';
import { refusalIn } from './accounts/index.ts';
import { ask, askIfKnown } from './connection.ts';
import { mayOnCluster, type Privilege } from './privileges.ts';
import type { Probes } from './probes.ts';

/**
 * Returns the feature compatibility version, such as `8.0`. Routers do not report it. They read it from the config
 * servers, if the user may read the collection that contains it, and otherwise a member of a shard reports it.
 */
export async function compatibilityOf(
  client: MongoClient,
  shardMembers: readonly MongoClient[] = [],
): Promise<string | undefined> {
  const command = { getParameter: 1, featureCompatibilityVersion: 1 };
  const reply = await askIfKnown(client, command);
  const reported = versionIn(reply?.featureCompatibilityVersion);
  if (reported !== undefined) return reported;
  const find = { find: 'system.version', filter: { _id: 'featureCompatibilityVersion' }, limit: 1 };
  const stored = await askIfKnown(client, find);
  const read = versionIn(stored?.cursor?.firstBatch?.[0]);
  if (read !== undefined) return read;
  for (const member of shardMembers) {
    const own = await askIfKnown(member, command).catch(() => undefined);
    const version = versionIn(own?.featureCompatibilityVersion);
    if (version !== undefined) return version;
  }
  return undefined;
}

function versionIn(document: Document | undefined): string | undefined {
  const version: unknown = document?.version;
  return typeof version === 'string' && /^\d{1,3}\.\d{1,3}$/.test(version) ? version : undefined;
}

/**
 * Whether a user with these privileges can change the feature compatibility version of servers that report it
 * as `reported`.
 */
export async function canChangeCompatibility(
  client: MongoClient,
  reported: string | undefined,
  { privileges, probes }: { readonly privileges: readonly Privilege[]; readonly probes: Probes },
): Promise<boolean> {
  if (reported === undefined || !mayOnCluster(privileges, 'setFeatureCompatibilityVersion')) return false;
  return probes.result('changeCompatibility', async () => {
    try {
      // No version has this name, so servers that know the command reject it without an effect.
      await ask(client, { setFeatureCompatibilityVersion: 'unknown' });
    } catch (error) {
      if (codeOf(error) === COMMAND_NOT_FOUND) return false;
      if ((error as Error).name !== 'MongoServerError') throw error;
    }
    return true;
  });
}

const COMMAND_NOT_FOUND = 59;

/**
 * The first major version whose servers require the field `confirm` in the command. Older servers do not know this
 * field.
 */
const CONFIRMED_SINCE = 7;

/**
 * Changes the feature compatibility version of the servers to `wanted`, unless they have it already. Returns the reason
 * if the servers refuse the change. Throws if they do not respond.
 */
export async function setCompatibility(
  client: MongoClient,
  { version, featureCompatibilityVersion: found }: FoundServers,
  wanted: string | undefined,
): Promise<readonly RefusedArgument[]> {
  if (wanted === undefined || found === undefined || wanted === found) return [];
  const isConfirmed = Number.parseInt(version, 10) >= CONFIRMED_SINCE;
  const command: Document = {
    setFeatureCompatibilityVersion: wanted,
    ...(isConfirmed && { confirm: true }),
    writeConcern: { w: 'majority' },
  };
  try {
    await client.db('admin').command(command, endingAfter(COMMAND_MS));
    return [];
  } catch (error) {
    const reason = refusalIn(error);
    if (reason === undefined) throw error;
    return [{ name: 'featureCompatibilityVersion', reason }];
  }
}
