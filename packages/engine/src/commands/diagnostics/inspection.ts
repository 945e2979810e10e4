import { createHash } from 'node:crypto';
import { Binary } from 'bson';
import { bsonTypes } from '../../bson/bson-types.ts';
import { RawDocument } from '../../bson/raw.ts';
import { steps } from '../../bson/turns.ts';
import { validate as validateBytes } from '../../bson/validate.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileSort } from '../../language/sort.ts';
import { sortedWithin } from '../../language/spill/sorted.ts';
import { documentsOf } from '../../planner/plan.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import { CappedCollection } from '../../storage/collection/capped.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { StorageError } from '../../storage/file/storage-error.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { RecordStream } from '../../storage/records/scan.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { specsOf } from '../indexes/specifications.ts';
import { command } from '../shared/define.ts';
import { timelessEnvironment } from '../shared/environment.ts';
import { listOf, text } from '../shared/field-builders.ts';
import type { FieldType } from '../shared/fields.ts';
import { addressOf } from '../shared/members.ts';
import { checkNamespace, onCollection, onDatabase } from '../shared/namespace.ts';
import { inspecting, reading } from '../shared/presets.ts';
import { usageOf } from '../shared/usage.ts';
import { collectionIn, viewsOf } from '../views/view.ts';

/** This file contains the commands that inspect stored data. */

const validate = command({
  name: 'validate',
  ...inspecting,
  privileges: onCollection('validate'),
  lenient: true,
  fields: {
    validate: 'collection!',
    full: 'loose',
    repair: 'loose',
    fixMultikey: 'loose',
    metadata: 'loose',
    background: 'loose',
    checkBSONConformance: 'loose',
    collHash: 'any',
    hashPrefixes: 'any',
    revealHashedIds: 'any',
    enforceFastCount: 'any',
  },
  run(args, { database }, { store }) {
    const ns = checkNamespace(database, args.validate);
    checkOptions(args);
    const collection = collectionIn(store, database, args.validate);
    if (collection === undefined) {
      throw new ServerError('NamespaceNotFound', `Collection '${ns}' does not exist to validate.`);
    }
    const found = { ns, uuid: new Binary(collection.uuid, Binary.SUBTYPE_UUID), ...inspect(collection) };
    return args.metadata
      ? { ...found, nrecords: undefined, nInvalidDocuments: undefined, nNonCompliantDocuments: undefined }
      : found;
  },
});

interface ValidateOptions {
  readonly metadata?: boolean;
  readonly full?: boolean;
  readonly background?: boolean;
  readonly repair?: boolean;
  readonly fixMultikey?: boolean;
  readonly checkBSONConformance?: boolean;
}

function checkOptions(options: ValidateOptions): void {
  const { metadata, full, background, checkBSONConformance } = options;
  const repair = options.repair || options.fixMultikey;
  const together = (other: string) =>
    new ServerError('InvalidOptions', `Running the validate command with both ${other} is not supported`);
  if (metadata && (full || background || repair || checkBSONConformance)) {
    throw together('{ metadata: true } and other options');
  }
  if (repair && checkBSONConformance) throw together('{ repair: true } and { checkBSONConformance: true }');
  if (background && full) throw together('{ background: true } and { full: true }');
  if (background && repair) throw together('{ background: true } and { repair: true }');
}

/** Reads every document and looks it up by its `_id`. */
function inspect(collection: Collection): object {
  let records = 0;
  const corrupt: bigint[] = [];
  const missing: object[] = [];
  const scan = collection.scan({ kind: 'natural', reverse: false }, undefined, undefined, {
    unchecked: true,
  });
  for (let record = scan.next(); record !== undefined; record = scan.next()) {
    records++;
    if (!isAsStored(scan) || !isSound(record.doc)) corrupt.push(BigInt(record.rid));
    else if (collection.identified && collection.find(idKey(record.doc))?.rid !== record.rid) {
      missing.push({ indexName: '_id_', recordId: BigInt(record.rid) });
    }
  }
  const checks = (corrupt.length > 0 ? [] : collection.indexes).map((index) => ({
    index,
    ...collection.checkIndex(index),
  }));
  for (const { index, missing: rows } of checks) {
    for (const rid of rows) missing.push({ indexName: index.name, recordId: BigInt(rid) });
  }
  const extra = checks.filter((check) => check.extra !== 0).map(({ index }) => ({ indexName: index.name }));
  const sound = new Map(
    checks.map(({ index, missing: rows, extra: more }) => [index.name, rows.length === 0 && more === 0]),
  );
  const keys = new Map(checks.map((check) => [check.index.name, check.keys]));
  const valid =
    corrupt.length === 0 && missing.length === 0 && extra.length === 0 && records === collection.documents;
  const invalid = corrupt.length > 0 ? ['Detected one or more invalid documents. See logs.'] : [];
  const errors = valid || corrupt.length > 0 ? invalid : ['the collection is damaged'];
  return {
    nInvalidDocuments: corrupt.length,
    nNonCompliantDocuments: 0,
    nrecords: records,
    nIndexes: collection.indexes.length + 1,
    keysPerIndex: Object.fromEntries(
      specsOf(collection).map((spec) => [
        spec.string('name'),
        keys.get(spec.string('name') ?? '') ?? records,
      ]),
    ),
    indexDetails: Object.fromEntries(
      specsOf(collection).map((spec) => [
        spec.string('name'),
        { valid: sound.get(spec.string('name') ?? '') ?? missing.length === 0, spec },
      ]),
    ),
    valid,
    repaired: false,
    repairMode: 'None',
    warnings: [],
    errors,
    extraIndexEntries: extra,
    missingIndexEntries: missing,
    corruptRecords: corrupt,
  };
}

/** True if the last document that was read matches its checksum. */
function isAsStored(scan: RecordStream): boolean {
  try {
    scan.check?.();
    return true;
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'damaged') return false;
    throw error;
  }
}

function isSound(document: RawDocument): boolean {
  try {
    validateBytes(document.compact().toBytes());
    return document.has('_id');
  } catch (error) {
    if (error instanceof ServerError) return false;
    throw error;
  }
}

const nameList = listOf(text(() => new ServerError('BadValue', 'collections entries have to be strings')));

/** Names of collections. Values of other types have no effect. */
const chosenNames: FieldType<readonly string[]> = {
  read: (value, ...at) => (value.type === bsonTypes.array ? nameList.read(value, ...at) : []),
};

const dbHash = command({
  name: 'dbHash',
  aliases: ['dbhash'],
  ...reading,
  privileges: onDatabase('dbHash'),
  lenient: true,
  fields: { dbHash: 'any', collections: chosenNames },
  run({ collections: names = [] }, { database }, cluster) {
    const {
      clock,
      topology: { members },
      store,
    } = cluster;
    const began = clock.elapsed();
    const chosen = store
      .collections(database)
      .filter(({ name }) => names.length === 0 || names.includes(name));
    const wanted = chosen.map((collection) => ({
      ...hashOf(store.collection(database, shownName(collection)) ?? collection, cluster),
      name: shownName(collection),
      uuid: collection.uuid,
    }));
    const capped = chosen.filter((each) => each instanceof CappedCollection);
    const all = createHash('md5');
    for (const { digest } of wanted) all.update(digest);
    return {
      host: members[0] === undefined ? '' : addressOf(members[0]),
      collections: Object.fromEntries(wanted.map(({ name, digest }) => [name, digest])),
      capped: capped.map(({ name }) => name),
      uuids: Object.fromEntries(
        wanted.map(({ name, uuid }) => [name, new Binary(uuid, Binary.SUBTYPE_UUID)]),
      ),
      md5: all.digest('hex'),
      timeMillis: Math.round(clock.elapsed() - began),
    };
  },
});

/** Returns the name to report. For a time series, this is the name of its buckets collection. */
function shownName({ name, options }: Collection): string {
  return options.has('timeseries') ? `${BUCKETS}${name}` : name;
}

/** Number of bytes that are hashed at a time, which takes about 2 ms, and number of bytes per step. */
const HASHED_AT_ONCE = 1_048_576;
const HASHED_PER_STEP = 256;

/** Returns a hash of all documents in `_id` order. */
function hashOf(collection: Collection, cluster: ClusterContext): { digest: string } {
  const hash = createHash('md5');
  const records = collection.scan({ kind: 'byId', reverse: false });
  const documents = documentsOf(records, collection.running);
  const environment = timelessEnvironment(cluster);
  // Sort the buckets of a time series by `_id`, because they are stored in the order in which they were
  // closed.
  const ordered = collection.identified
    ? documents
    : sortedWithin(documents, compileSort(byId, environment), environment);
  for (const document of ordered) {
    const bytes = document.toBytes();
    for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
      const piece = bytes.subarray(at, at + HASHED_AT_ONCE);
      steps(piece.length / HASHED_PER_STEP);
      hash.update(piece);
    }
  }
  return { digest: hash.digest('hex') };
}

const byId = RawDocument.from({ _id: 1 });

const top = command({
  name: 'top',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'top' }],
  lenient: true,
  fields: { top: 'any' },
  run(_args, _request, cluster) {
    const usage = usageOf(cluster);
    const { store } = cluster;
    const namespaces = store
      .databases()
      .flatMap((database) => [
        ...store.collections(database).map(({ namespace }) => namespace),
        ...viewsOf(store, database).map(({ name }) => `${database}.${name}`),
      ]);
    const used = namespaces.flatMap((namespace) => {
      const found = usage.get(namespace);
      return found === undefined ? [] : [[namespace, found.toDocument()] as const];
    });
    return { totals: { note: 'all times in microseconds', ...Object.fromEntries(used) } };
  },
});

export const inspectionCommands: readonly Command[] = [validate, dbHash, top];
