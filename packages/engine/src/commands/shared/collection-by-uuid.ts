import { writeDocument } from '../../bson/document-writer.ts';
import { string, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { isUuidType, uuidBytes } from './uuid-value.ts';

/** The commands that accept the UUID of a collection in place of its name. */
const commands: ReadonlySet<string> = new Set(['find', 'count', 'distinct', 'listIndexes']);

/** Replaces the UUID of a collection by its name. Returns a request with a name unchanged. */
export function withCollectionName(request: CommandRequest, cluster: ClusterContext): CommandRequest {
  const [first, ...others] = commands.has(request.name) ? request.body : [];
  const { user } = request.caller;
  if (first === undefined || !isUuidType(first) || user === undefined) return request;
  const { database } = request;
  if (!cluster.accounts.allows(user, [{ action: 'useUUID' }])) {
    throw new ServerError('Unauthorized', `not authorized on ${database} to execute command ${request.name}`);
  }
  const name = nameOf(first, database, cluster);
  const body = writeDocument((writer) => {
    writer.field(first.name, string(name));
    for (const field of others) writer.element(field);
  });
  return { ...request, body };
}

function nameOf(uuid: Value, database: string, { store }: ClusterContext): string {
  const bytes = uuidBytes(uuid);
  const found = store.collections(database).find((each) => Buffer.compare(each.uuid, bytes) === 0);
  if (found !== undefined) return found.name;
  throw new ServerError('NamespaceNotFound', `Unable to resolve ${Buffer.from(bytes).toString('hex')}`);
}
