import type { MongoClient } from 'mongodb';
import { codeOf } from '../../replication/error-codes.ts';
import { refusalIn } from '../accounts/index.ts';
import { ask, askIfKnown } from '../connection.ts';
import { mayEverywhere, type Privilege } from '../privileges.ts';

const ACTIONS = ['createSearchIndexes', 'dropSearchIndex', 'listSearchIndexes', 'updateSearchIndex'];
const NAMESPACE_NOT_FOUND = 26;
/** A database that need not exist. */
const ANY = 'portolan';

/** Whether servers have search indexes that a user with these privileges may change. */
export async function hasSearchIndexes(
  client: MongoClient,
  privileges: readonly Privilege[],
): Promise<boolean> {
  if (!mayEverywhere(privileges, ACTIONS)) return false;
  // Some servers know the commands, but have no process that manages search indexes. The parameter
  // `searchIndexManagementHostAndPort` is then empty.
  const manager = await askIfKnown(client, { getParameter: 1, searchIndexManagementHostAndPort: 1 });
  if (manager?.searchIndexManagementHostAndPort === '') return false;
  try {
    await ask(client, { aggregate: ANY, pipeline: [{ $listSearchIndexes: {} }], cursor: {} }, ANY);
    return true;
  } catch (error) {
    if (refusalIn(error) === undefined) throw error;
    return codeOf(error) === NAMESPACE_NOT_FOUND;
  }
}
