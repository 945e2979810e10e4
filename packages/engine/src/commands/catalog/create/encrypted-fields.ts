import { bsonTypes } from '../../../bson/bson-types.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { converted, listOf, nested, notNull, required, validated } from '../../shared/field-builders.ts';
import { checkQueries, encryptedQueries } from './encrypted-queries.ts';

/**
 * This file validates the encrypted fields of a collection. The engine only stores and returns them. Clients encrypt
 * and decrypt the values.
 */

const field = converted(
  nested({
    path: 'string!',
    keyId: required(notNull('uuid')),
    bsonType: 'string',
    queries: encryptedQueries,
  }),
  (given) => {
    checkPath(given.path);
    checkType(given.bsonType);
    if (given.queries !== undefined) checkQueries(given.queries, given.bsonType);
    return given;
  },
);

const config = converted(
  nested({
    fields: required(listOf(field, { skipsNull: true })),
    escCollection: 'string',
    eccCollection: 'string',
    ecocCollection: 'string',
    strEncodeVersion: 'int',
  }),
  ({ fields }) => checkPaths(fields.map(({ path }) => path)),
);

/** The encrypted fields of a collection, as they are stored. */
export const encryptedFields = validated(config);

function checkPath(path: string): void {
  if (path === '') throw new ServerError(6316402, 'Encrypted field path cannot be empty');
  if (path.includes('\0')) throw new ServerError(9867600, 'Encrypted field path cannot contain null bytes');
  if (path !== '_id' && !path.startsWith('_id.')) return;
  throw new ServerError(6316403, 'Cannot encrypt _id or its subfields');
}

/** Throws for equal paths, and for a path within another. */
function checkPaths(paths: readonly string[]): void {
  for (const [i, path] of paths.entries()) {
    for (const other of paths.slice(0, i)) {
      if (other === path) throw new ServerError(6338402, `Duplicate paths are not allowed: ${path}`);
      if (path.startsWith(`${other}.`) || other.startsWith(`${path}.`)) {
        throw new ServerError(
          6338403,
          `Conflicting index paths found as one is a prefix of another: ${path} and ${other}`,
        );
      }
    }
  }
}

const notEncrypted = new Set(['null', 'undefined', 'minKey', 'maxKey']);

function checkType(name: string | undefined): void {
  if (name === undefined) return;
  if (!Object.hasOwn(bsonTypes, name)) throw new ServerError('BadValue', `Unknown type name alias: ${name}`);
  if (notEncrypted.has(name))
    throw new ServerError(6338406, `Type '${name}' is not a supported unindexed type`);
}
