import type { MongoClient } from 'mongodb';
import { codeOf, REFUSED } from '../replication/error-codes.ts';
import { mayEverywhere, type Privilege } from './privileges.ts';
import type { Probes } from './probes.ts';

/** Whether a user with these privileges can read the changes of all databases of the servers. */
export async function canFollowChanges(
  client: MongoClient,
  isStandalone: boolean,
  { privileges, probes }: { readonly privileges: readonly Privilege[]; readonly probes: Probes },
): Promise<boolean> {
  if (isStandalone || !mayEverywhere(privileges, ['changeStream', 'find'])) return false;
  return probes.result('changeStreams', async () => {
    const { hasChangeStreams } = await import('../replication/fill.ts');
    try {
      return await hasChangeStreams(client, { readPreference: 'nearest' });
    } catch (error) {
      if (REFUSED.has(codeOf(error))) return false;
      if ((error as Error).name !== 'MongoServerError') throw error;
      // A primary or a shard is missing at the moment.
      return undefined;
    }
  });
}
