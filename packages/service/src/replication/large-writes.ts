import {
  type AnyBulkWriteOperation,
  BSON,
  type ClientSession,
  type Document,
  type MongoClient,
} from 'mongodb';
import { type Namespace, rawDb } from './endpoints.ts';

/**
 * A larger write must not be part of a bulk write. The driver limits a write with its filter and options to the size of
 * a document, 16 MiB, although servers accept 16 KiB more.
 */
const MAX_BYTES = 16 * 2 ** 20 - 4096;

export const isLarge = (operation: AnyBulkWriteOperation<Document>): boolean =>
  BSON.calculateObjectSize(operation) > MAX_BYTES;

/** Executes a write by a command of its own. Returns the error with which the server refuses it, if any. */
export async function writeLarge(
  target: MongoClient,
  { db, coll }: Namespace,
  operation: AnyBulkWriteOperation<Document>,
  session: ClientSession | undefined,
): Promise<{ readonly code?: unknown; readonly errmsg?: unknown } | undefined> {
  const command = { ...commandOf(coll, operation), bypassDocumentValidation: true };
  const { writeErrors } = await rawDb(target, db).command(command, session && { session });
  return writeErrors?.[0];
}

function commandOf(coll: string, operation: AnyBulkWriteOperation<Document>): Document {
  if ('insertOne' in operation) return { insert: coll, documents: [operation.insertOne.document] };
  if ('replaceOne' in operation) {
    const { filter: q, replacement: u, upsert = false } = operation.replaceOne;
    return { update: coll, updates: [{ q, u, upsert }] };
  }
  if ('updateOne' in operation || 'updateMany' in operation) {
    const multi = 'updateMany' in operation;
    const { filter: q, update: u } = multi ? operation.updateMany : operation.updateOne;
    return { update: coll, updates: [{ q, u, multi }] };
  }
  const many = 'deleteMany' in operation;
  const { filter: q } = many ? operation.deleteMany : operation.deleteOne;
  return { delete: coll, deletes: [{ q, limit: many ? 0 : 1 }] };
}
