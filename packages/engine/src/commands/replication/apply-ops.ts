import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { string, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileUpdate } from '../../language/update/index.ts';
import type { Reply } from '../../message/reply.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { applyDiff } from '../../storage/oplog/apply-diff.ts';
import { uuidValue } from '../../storage/oplog/entry.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { checkInsert, checkReplace } from '../crud/validation/rules.ts';
import { command } from '../shared/define.ts';
import { byType, notNull } from '../shared/field-builders.ts';
import { refused, refusedUnlessNull } from '../shared/field-types.ts';
import { wrongType } from '../shared/fields.ts';
import { writing } from '../shared/presets.ts';
import { collectionWithUuid } from '../shared/uuid.ts';
import { type AppliedOperation, appliedOperations } from './applied-operation.ts';

/** The field `count`, which entries of transactions have. The field has no effect. */
const anyCount = notNull(
  byType({ number: toNumber }, (value, name, within) => wrongType(value, `${within}.${name}`, ['long'])),
);

type Lookup = (name: string) => Command | undefined;

/** Applies oplog entries in order. If an entry fails, those that were applied before it remain. */
export function applyOpsCommand(lookup: Lookup): Command {
  return command({
    name: 'applyOps',
    ...writing,
    audit: 'none',
    privileges: () => [{ action: 'applyOps' }],
    lenient: true,
    fields: {
      applyOps: appliedOperations,
      allowAtomic: 'any',
      alwaysUpsert: 'bool',
      bypassDocumentValidation: 'any',
      count: anyCount,
      oplogApplicationMode: 'any',
      partialTxn: refused(31056, 'applyOps with partialTxn:true is not allowed'),
      preCondition: refusedUnlessNull(6_711_600, unsupported('preCondition')),
      prepare: refused('BadValue', "applyOps cannot have the field 'prepare'"),
    },
    run(args, request, cluster) {
      if (args.alwaysUpsert === true) throw new ServerError(6_711_601, unsupported('alwaysUpsert'));
      const operations = args.applyOps.filter(({ op }) => op !== 'n');
      if (operations.length > 1 && operations.some(isDropDatabase)) {
        throw new ServerError(6_275_900, 'dropDatabase in an applyOps must be the only entry');
      }
      return applyAll(operations, (operation) => applyOne(operation, request, cluster, lookup), cluster);
    },
  });
}

function unsupported(option: string): string {
  return `applyOps command no longer supports the '${option}' option`;
}

function isDropDatabase({ op, o }: AppliedOperation): boolean {
  return op === 'c' && o.first()?.name === 'dropDatabase';
}

/**
 * Applies operations in order. An operation without effect is reported, and the others still run. An error
 * ends the command.
 */
function applyAll(
  operations: readonly AppliedOperation[],
  apply: (operation: AppliedOperation) => boolean,
  { store }: ClusterContext,
): Reply {
  const results: boolean[] = [];
  for (const operation of operations) {
    try {
      results.push(store.savepoint(() => apply(operation)));
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const { code, codeName, message: errmsg } = error;
      return { applied: results.length + 1, code, codeName, errmsg, results: [...results, false], ok: 0 };
    }
  }
  const reply = { applied: results.length, results };
  if (!results.includes(false)) return reply;
  const {
    code,
    codeName,
    message: errmsg,
  } = new ServerError('UnknownError', 'applyOps had one or more errors applying ops');
  return { ...reply, code, codeName, errmsg, ok: 0 };
}

/** Applies one operation. Returns false if there was no document to change. */
function applyOne(
  operation: AppliedOperation,
  request: CommandRequest,
  cluster: ClusterContext,
  lookup: Lookup,
): boolean {
  const { op, ns, o, o2, ui } = operation;
  const dot = ns.indexOf('.');
  const [database, name] = [ns.slice(0, dot), ns.slice(dot + 1)];
  if (dot < 1 || name === '') throw new ServerError('InvalidNamespace', `invalid ns: ${ns}`);
  if (op === 'c') return runCommand(operation, { ...request, database }, cluster, lookup);
  const collection = cluster.store.collection(database, name);
  if (ui !== undefined && (collection === undefined || !uuidValue(collection.uuid).identical(ui)))
    return false;
  if (collection === undefined) {
    if (op === 'd') return true;
    throw new ServerError(
      'NamespaceNotFound',
      `cannot apply insert or update operation on a non-existent namespace ${ns}`,
    );
  }
  checkId(op === 'u' ? (o2 ?? o) : o);
  if (op === 'i') {
    // An entry of a time series contains a bucket, to which the validation rules of the collection do not
    // apply.
    if (!collection.options.has('timeseries')) checkInsert(collection, o, request, cluster);
    return upsert(collection, o);
  }
  const record = collection.find(idKey(o2 ?? o));
  if (op === 'd') {
    if (record !== undefined) collection.remove(record);
    return true;
  }
  if (record === undefined) return false;
  const { doc, difference } = changed(record.doc, o, cluster.clock.now);
  checkReplace(collection, record.doc, doc, request, cluster);
  collection.replace(record, doc, difference);
  return true;
}

/** Throws if `_id` is missing, because the entry would not identify a document. */
function checkId(named: RawDocument): void {
  if (!named.has('_id')) throw new ServerError('NoSuchKey', 'applyOps: a document without an _id');
}

function runCommand(
  { o, ui }: AppliedOperation,
  request: CommandRequest,
  cluster: ClusterContext,
  lookup: Lookup,
): boolean {
  const name = o.first()?.name ?? '';
  const found = lookup(name);
  if (found?.inOplog !== true) throw new ServerError('FailedToParse', 'Unrecognized command in op');
  const body = name === 'createIndexes' ? indexesOf(o) : withDatabase(o, request.database);
  const uuid = name === 'create' ? uuidIn(ui) : undefined;
  if (uuid !== undefined && isMade(o, uuid, request.database, cluster)) return true;
  found.run({ ...request, ...(uuid && { uuid }), name, body, sequences: new Map() }, cluster);
  return true;
}

/** Returns the 16 bytes of a UUID. */
function uuidIn(value: Value | undefined): Uint8Array | undefined {
  if (value?.type !== bsonTypes.binData || value.end - value.start !== 21) return undefined;
  return value.bytes.slice(value.start + 5, value.end);
}

/** True if a collection with the UUID exists. Renames this collection if it has another name. */
function isMade(o: RawDocument, uuid: Uint8Array, database: string, { store }: ClusterContext): boolean {
  const name = o.string('create') ?? '';
  const own = store.collection(database, name);
  if (own !== undefined) {
    if (Buffer.compare(own.uuid, uuid) === 0) return true;
    throw new ServerError('NamespaceExists', `Collection ${own.namespace} already exists with another UUID`);
  }
  const other = collectionWithUuid(store, database, uuid);
  if (other !== undefined) store.rename(other, name);
  return other !== undefined;
}

function withDatabase(o: RawDocument, database: string): RawDocument {
  return writeDocument((writer) => {
    for (const element of o) if (element.name !== 'idIndex') writer.element(element);
    writer.field('$db', string(database));
  });
}

/**
 * Converts an oplog entry to a command. The entry contains the fields of one index, and the command contains a list of
 * indexes.
 */
function indexesOf(o: RawDocument): RawDocument {
  const [first, ...fields] = [...o];
  const index = Object.fromEntries(fields.map((field) => [field.name, field]));
  return new RawDocument(encodeDocument({ createIndexes: first, indexes: [index] }));
}

/** Inserts a document. If the insert has been applied before, replaces the document. */
function upsert(collection: Collection, doc: RawDocument): boolean {
  const key = idKey(doc);
  const record = collection.find(key);
  if (record === undefined) return collection.insert(key, doc);
  collection.replace(record, doc);
  return true;
}

interface Changed {
  readonly doc: RawDocument;
  /** The difference that an update applies. Undefined if the update replaces the document. */
  readonly difference?: RawDocument;
}

function changed(before: RawDocument, o: RawDocument, now: () => number): Changed {
  if (o.has('$v')) {
    const difference = o.document('diff') ?? RawDocument.empty;
    return { doc: applyDiff(before, difference), difference };
  }
  if (o.first()?.name.startsWith('$')) {
    const { bytes, difference } = compileUpdate(o, { now }).apply(before);
    return { doc: new RawDocument(bytes), difference: difference?.() ?? RawDocument.empty };
  }
  const id = before.get('_id');
  const doc = writeDocument((writer) => {
    if (id !== undefined) writer.field('_id', id);
    for (const element of o) if (element.name !== '_id') writer.element(element);
  });
  return { doc };
}
