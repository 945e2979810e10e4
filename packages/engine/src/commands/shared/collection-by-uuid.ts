import { writeDocument } from '../../bson/document-writer.ts';
import { string, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { collectionWithUuid } from './uuid.ts';
import { isUuidType, uuidBytes } from './uuid-value.ts';

/** The commands that accept the UUID of a collection in place of its name. */
const commands: ReadonlySet<string> = new Set(['find', 'count', 'distinct', 'listIndexes']);

/** If a request identifies its collection by UUID, replaces the UUID by the name of the collection. */
export function withCollectionName(request: CommandRequest, cluster: ClusterContext): CommandRequest {
  if (!commands.has(request.name)) return request;
  const first = request.body.first();
  const { user } = request.caller;
  if (first === undefined || !isUuidType(first) || user === undefined) return request;
  const { body, database } = request;
  if (!cluster.accounts.allows(user, [{ action: 'useUUID' }])) {
    throw new ServerError('Unauthorized', `not authorized on ${database} to execute command ${request.name}`);
  }
  const name = nameOf(first, database, cluster);
  const named = writeDocument((writer) => {
    writer.field(first.name, string(name));
    for (let other = body.after(first); other !== undefined; other = body.after(other)) writer.element(other);
  });
  return { ...request, body: named };
}

function nameOf(uuid: Value, database: string, { store }: ClusterContext): string {
  const bytes = uuidBytes(uuid);
  const found = collectionWithUuid(store, database, bytes);
  if (found !== undefined) return found.name;
  throw new ServerError('NamespaceNotFound', `Unable to resolve ${Buffer.from(bytes).toString('hex')}`);
}
