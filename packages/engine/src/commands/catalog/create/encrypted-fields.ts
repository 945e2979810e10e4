import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../../bson/raw.ts';
import { isAbsent, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { fields, wrongType } from '../../shared/fields.ts';
import type { CreateArguments } from './arguments.ts';
import { checkQueries } from './encrypted-queries.ts';

/**
 * This file validates the encrypted fields of a collection. The engine only stores and returns them. Clients encrypt
 * and decrypt the values.
 */

const configReader = fields('create.encryptedFields', {
  fields: 'array!',
  escCollection: 'string',
  eccCollection: 'string',
  ecocCollection: 'string',
  strEncodeVersion: 'int',
});

const fieldReader = fields('create.encryptedFields.fields', {
  path: 'string!',
  keyId: 'value!',
  bsonType: 'string',
  queries: 'value',
});

export function checkEncryptedFields(config: RawDocument, args: CreateArguments): void {
  const { fields: entries } = configReader.read(config);
  if ((args.viewOn ?? args.timeseries) !== undefined) {
    throw new ServerError(6346401, 'Encrypted fields cannot be used with views or time-series collections');
  }
  if (args.capped) throw new ServerError(6367301, 'Encrypted fields cannot be used with capped collections');
  const paths: string[] = [];
  for (const [i, entry] of entries.entries()) {
    if (isAbsent(entry)) continue;
    if (entry.type !== bsonTypes.object)
      throw wrongType(entry, `create.encryptedFields.fields.${i}`, ['object']);
    const field = fieldReader.read(documentOf(entry));
    checkKeyId(field.keyId);
    checkPath(field.path, paths);
    checkType(field.bsonType);
    if (field.queries !== undefined) checkQueries(queriesOf(field.queries), field.bsonType);
    paths.push(field.path);
  }
}

function checkKeyId(value: Value): void {
  const { type, bytes, start, end } = value;
  if (type !== bsonTypes.binData || bytes[start + 4] !== UUID_SUBTYPE) {
    throw wrongType(value, 'create.encryptedFields.fields.keyId', ['binData']);
  }
  if (end - start - 5 !== 16)
    throw new ServerError('InvalidUUID', 'uuid must be a 16-byte binary field with UUID (4) subtype');
}

const UUID_SUBTYPE = 4;

function checkPath(path: string, others: readonly string[]): void {
  if (path === '') throw new ServerError(6316402, 'Encrypted field path cannot be empty');
  if (path.includes('\0')) throw new ServerError(9867600, 'Encrypted field path cannot contain null bytes');
  if (path === '_id' || path.startsWith('_id.')) {
    throw new ServerError(6316403, 'Cannot encrypt _id or its subfields');
  }
  for (const other of others) {
    if (other === path) throw new ServerError(6338402, `Duplicate paths are not allowed: ${path}`);
    if (path.startsWith(`${other}.`) || other.startsWith(`${path}.`)) {
      throw new ServerError(
        6338403,
        `Conflicting index paths found as one is a prefix of another: ${path} and ${other}`,
      );
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

/** Returns the documents of a value. The value is either one document or an array of documents. */
function queriesOf(value: Value): RawDocument[] {
  if (value.type === bsonTypes.object) return [documentOf(value)];
  if (value.type !== bsonTypes.array) {
    throw wrongType(value, 'create.encryptedFields.fields.queries', ['array', 'object']);
  }
  return entriesOf(value).map((entry, i) => {
    if (entry.type === bsonTypes.object) return documentOf(entry);
    throw wrongType(entry, `create.encryptedFields.fields.queries.${i}`, ['object']);
  });
}
