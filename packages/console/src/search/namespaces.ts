import { documentsOf, run } from '../api/commands.ts';
import type { ClusterPath } from '../api/resources.ts';

/** A collection or, without `collection`, a database. */
export interface Namespace {
  readonly database: string;
  readonly collection?: string;
}

/** The number of databases of a cluster whose collections the search reads. Each database needs a request. */
const MAX_DATABASES = 20;

/** Returns the query that reads the databases and collections of a cluster by the commands of the page Data. */
export function namespacesQuery(path: ClusterPath) {
  // Events do not repeat queries whose key begins with `once`.
  return { queryKey: ['once', path, 'namespaces'], queryFn: () => readNamespaces(path) };
}

async function readNamespaces(path: ClusterPath): Promise<readonly Namespace[]> {
  const command = { listDatabases: 1, nameOnly: true, authorizedDatabases: true };
  const { reply } = await run({ path, database: 'admin' }, command, true);
  const databases = (reply.databases as readonly { readonly name: string }[]).map(({ name }) => name);
  const namespaces: Namespace[] = databases.map((database) => ({ database }));
  // The requests follow each other, so that they do not use up the connections of the browser.
  for (const database of databases.slice(0, MAX_DATABASES)) {
    const answer = await run({ path, database }, { listCollections: 1, nameOnly: true }, true);
    for (const { name } of documentsOf(answer) ?? []) namespaces.push({ database, collection: String(name) });
  }
  return namespaces;
}
