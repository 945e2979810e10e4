import type { ClusterContext } from '../../command.ts';
import { bsonTypes } from '../../language/bson-types.ts';
import { writeDocument } from '../../language/document-writer.ts';
import { truthOfNumber } from '../../language/numbers/convert.ts';
import { documentOf, RawDocument } from '../../language/raw.ts';
import { compileUpdate } from '../../language/update/index.ts';
import { isNumber, textOf, type Value } from '../../language/value.ts';
import { ServerError } from '../../server-error.ts';
import type { Collection } from '../../storage/collection.ts';
import { idKey } from '../../storage/id-key.ts';
import { applyDiff } from '../../storage/oplog/apply-diff.ts';
import { command } from '../define.ts';
import { wrongType } from '../fields.ts';

/** Does what entries of an oplog say, once more. */
export const applyOps = command({
  name: 'applyOps',
  privileges: () => [{ action: 'applyOps' }],
  adminOnly: true,
  writes: true,
  fields: { applyOps: 'value!', allowAtomic: 'any', alwaysUpsert: 'value', preCondition: 'any' },
  run(args, _request, cluster) {
    if (args.preCondition !== undefined) {
      throw new ServerError(6_711_600, "applyOps command no longer supports the 'preCondition' option");
    }
    if (args.alwaysUpsert !== undefined && isTruth(args.alwaysUpsert)) {
      throw new ServerError(6_711_601, 'The alwaysUpsert option is no longer supported');
    }
    const operations = operationsOf(args.applyOps).map(checked);
    const atomic = args.allowAtomic === undefined || isTruth(args.allowAtomic);
    return atomic ? runTogether(operations, cluster) : runEach(operations, cluster);
  },
});

interface Operation {
  readonly op: string;
  readonly ns: string;
  readonly o: RawDocument;
  readonly o2: RawDocument | undefined;
}

function operationsOf(value: Value): RawDocument[] {
  if (value.type !== bsonTypes.array) throw wrongType(value, 'applyOps.applyOps', ['array']);
  return [...documentOf(value)].map((entry, i) => {
    if (entry.type === bsonTypes.object) return documentOf(entry);
    throw wrongType(entry, `applyOps.applyOps.${i}`, ['object']);
  });
}

/** What is missing is found before anything is done. */
function checked(entry: RawDocument): Operation {
  const op = textIn(entry, 'op');
  const ns = textIn(entry, 'ns');
  const o = entry.get('o');
  if (o?.type !== bsonTypes.object) {
    throw new ServerError('FailedToParse', "op does not contain required 'o' field of type object");
  }
  if (!['i', 'u', 'd', 'n', 'c'].includes(op)) throw new ServerError('BadValue', `bad op type: ${op}`);
  return { op, ns, o: documentOf(o), o2: entry.document('o2') };
}

function textIn(entry: RawDocument, name: string): string {
  const value = entry.get(name);
  if (value?.type === bsonTypes.string) return textOf(value);
  throw new ServerError('FailedToParse', `op does not contain required '${name}' field of type string`);
}

function runTogether(operations: readonly Operation[], cluster: ClusterContext) {
  for (const operation of operations) {
    if (!runOne(operation, cluster)) throw failed();
  }
  return { applied: operations.length, results: operations.map(() => true) };
}

function failed(): ServerError {
  return new ServerError('UnknownError', 'applyOps had one or more errors applying ops');
}

/** Up to the first that fails; what those before it did stays. */
function runEach(operations: readonly Operation[], cluster: ClusterContext) {
  const results: boolean[] = [];
  for (const operation of operations) {
    results.push(succeeds(() => cluster.store.savepoint(() => runOne(operation, cluster))));
    if (results.at(-1) === false) {
      const { code, codeName, message: errmsg } = failed();
      return { applied: results.length, code, codeName, errmsg, results, ok: 0 };
    }
  }
  return { applied: results.length, results };
}

function succeeds(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServerError) return false;
    throw error;
  }
}

/** False when there was no document to change. */
function runOne({ op, ns, o, o2 }: Operation, { store }: ClusterContext): boolean {
  if (op === 'n') return true;
  if (op === 'c') throw new ServerError('CommandNotSupported', 'applyOps does not run commands');
  const dot = ns.indexOf('.');
  const collection = store.collection(ns.slice(0, dot), ns.slice(dot + 1));
  if (collection === undefined) {
    if (op === 'd') return true;
    throw new ServerError('NamespaceNotFound', `Failed to apply operation due to missing collection: ${ns}`);
  }
  if (op === 'i') return put(collection, o);
  const record = collection.find(idKey(op === 'd' ? o : (o2 ?? o)));
  if (op === 'd') {
    if (record !== undefined) collection.remove(record);
    return true;
  }
  if (record === undefined) return false;
  const after = changed(record.doc, o);
  collection.replace(record, after, !o.first()?.name.startsWith('$'));
  return true;
}

/** An insert that was done already is an update. */
function put(collection: Collection, doc: RawDocument): boolean {
  const key = idKey(doc);
  const record = collection.find(key);
  if (record === undefined) return collection.insert(key, doc);
  collection.replace(record, doc, true);
  return true;
}

function changed(before: RawDocument, o: RawDocument): RawDocument {
  if (o.has('$v')) return applyDiff(before, o.document('diff') ?? RawDocument.empty);
  if (o.first()?.name.startsWith('$')) return new RawDocument(compileUpdate(o).apply(before).bytes);
  const id = before.get('_id');
  return writeDocument((writer) => {
    if (id !== undefined) writer.field('_id', id);
    for (const element of o) if (element.name !== '_id') writer.element(element);
  });
}

/** Everything but false, null and 0. */
function isTruth(value: Value): boolean {
  if (value.type === bsonTypes.bool) return value.bytes[value.start] === 1;
  if (isNumber(value)) return truthOfNumber(value);
  return value.type !== bsonTypes.null && value.type !== bsonTypes.undefined;
}
