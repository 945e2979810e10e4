import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { required } from '../shared/field-builders.ts';
import { strictHint } from '../shared/field-types.ts';
import { fields } from '../shared/fields.ts';
import { checkDatabaseName, checkNamespace } from '../shared/namespace.ts';
import type { DeleteStatement } from './delete-statement.ts';
import { checkStatement, type UpdateStatement, updateValue } from './update-statement.ts';

/** This file reads the operations of a `bulkWrite`. Each contains the index of its namespace in `nsInfo`. */

interface Target {
  readonly database: string;
  readonly collection: string;
  /** The expected UUID of the collection. */
  readonly uuid?: Value;
}

export type Operation =
  | { readonly kind: 'insert'; readonly target: Target; readonly document: RawDocument }
  | { readonly kind: 'update'; readonly target: Target; readonly statement: UpdateStatement }
  | { readonly kind: 'delete'; readonly target: Target; readonly statement: DeleteStatement };

const namespaceReader = fields('bulkWrite.nsInfo', {
  ns: 'string!',
  collectionUUID: 'uuid',
  encryptionInformation: 'object',
});

const insertReader = fields('bulkWrite.ops', { insert: 'int!', document: 'object!' });

const updateReader = fields('bulkWrite.ops', {
  update: 'int!',
  filter: 'object!',
  updateMods: required(updateValue),
  arrayFilters: 'documents',
  multi: 'bool',
  hint: strictHint,
  constants: 'object',
  collation: 'object',
  upsert: 'bool',
  upsertSupplied: 'truth',
  sort: 'object',
  sampleId: 'any',
  allowShardKeyUpdatesWithoutFullShardKeyInQuery: 'truth',
});

const deleteReader = fields('bulkWrite.ops', {
  delete: 'int!',
  filter: 'object!',
  multi: 'bool',
  hint: strictHint,
  collation: 'object',
  sampleId: 'any',
});

/** Throws if an operation is malformed. The whole command then fails without effect. */
export function readOperations(ops: readonly RawDocument[], nsInfo: readonly RawDocument[]): Operation[] {
  const targets = nsInfo.map(targetOf);
  return ops.map((op) => readOperation(op, targets));
}

function targetOf(info: RawDocument): Target {
  const { ns, collectionUUID } = namespaceReader.read(info);
  const dot = ns.indexOf('.');
  if (dot < 1) throw new ServerError('InvalidNamespace', `Invalid namespace specified '${ns}'`);
  const uuid = collectionUUID === undefined ? {} : { uuid: collectionUUID };
  const target = { database: ns.slice(0, dot), collection: ns.slice(dot + 1), ...uuid };
  checkDatabaseName(target.database);
  checkNamespace(target.database, target.collection);
  return target;
}

function readOperation(op: RawDocument, targets: readonly Target[]): Operation {
  const kind = op.first()?.name;
  switch (kind) {
    case 'insert': {
      const { insert, document } = insertReader.read(op);
      return { kind, target: pick(targets, insert), document };
    }
    case 'update': {
      const { update, filter: q, updateMods: u, constants: c, ...rest } = updateReader.read(op);
      const target = pick(targets, update);
      const statement = { q, u, ...(c ? { c } : {}), ...rest };
      checkStatement(statement);
      return { kind, target, statement };
    }
    case 'delete': {
      const { delete: at, filter: q, multi, ...rest } = deleteReader.read(op);
      return {
        kind,
        target: pick(targets, at),
        statement: { q, limit: multi ? 0 : 1, ...rest },
      };
    }
    default:
      throw new ServerError(40415, `BSON field 'bulkWrite.ops.${kind ?? ''}' is an unknown field.`);
  }
}

function pick(targets: readonly Target[], at: number): Target {
  const target = targets[at];
  if (target !== undefined) return target;
  throw new ServerError('BadValue', `BulkWrite ops entry has an invalid nsInfo index. Index: ${at}`);
}
