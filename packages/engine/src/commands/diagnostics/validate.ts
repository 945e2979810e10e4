import { Binary } from 'bson';
import type { RawDocument } from '../../bson/raw.ts';
import { validate as validateBytes } from '../../bson/validate.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { StorageError } from '../../storage/file/storage-error.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { RecordStream } from '../../storage/records/scan.ts';
import type { Command } from '../context/command.ts';
import { specsOf } from '../indexes/specifications.ts';
import { command } from '../shared/define.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { inspecting } from '../shared/presets.ts';
import { collectionIn } from '../views/view.ts';

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
    const found = {
      ns,
      uuid: new Binary(collection.uuid, Binary.SUBTYPE_UUID),
      ...reportOf(collection, checked(store, collection)),
    };
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

/** What a check of a collection has found. */
interface Found {
  readonly records: number;
  readonly corrupt: readonly number[];
  readonly missing: readonly Missing[];
  readonly indexes: readonly {
    readonly name: string;
    readonly keys: number;
    readonly sound: boolean;
    readonly extra: boolean;
  }[];
  /** True if the numbers of documents and keys differ from those that are stored or computed. */
  readonly differs: boolean;
  /** True if the collection changed during the check. */
  readonly changed: boolean;
}

interface Missing {
  readonly indexName: string;
  readonly rid: number;
}

/** Number of times that a collection is checked if it changes meanwhile, and the check finds faults. */
const ATTEMPTS = 3;

/**
 * Checks a collection. Other statements can write to it meanwhile, because the check has pauses. A document that they
 * write then looks like a fault, so the check is repeated. If the collection changes during each check, only those faults
 * count that every check has found.
 */
function checked(store: ClusterStore, collection: Collection): Found {
  let found = inspect(store, collection);
  for (let attempt = 1; attempt < ATTEMPTS && found.changed && hasFaults(found); attempt++) {
    const again = inspect(store, collection);
    found = again.changed ? { ...again, missing: inBoth(found.missing, again.missing) } : again;
  }
  return found;
}

function hasFaults({ corrupt, missing, differs }: Found): boolean {
  return corrupt.length > 0 || missing.length > 0 || differs;
}

function inBoth(one: readonly Missing[], other: readonly Missing[]): readonly Missing[] {
  const known = new Set(one.map(({ indexName, rid }) => `${indexName} ${rid}`));
  return other.filter(({ indexName, rid }) => known.has(`${indexName} ${rid}`));
}

/** Reads every document and looks it up by its `_id`, and compares the indexes with the documents. */
function inspect({ oplog }: ClusterStore, collection: Collection): Found {
  const { database, name, documents, bytes } = collection;
  const began = oplog.last;
  let records = 0;
  const corrupt: number[] = [];
  const missing: Missing[] = [];
  const scan = collection.scan({ kind: 'natural', reverse: false }, undefined, undefined, {
    unchecked: true,
  });
  for (let record = scan.next(); record !== undefined; record = scan.next()) {
    records++;
    if (!isAsStored(scan) || !isSound(record.doc)) corrupt.push(record.rid);
    else if (collection.identified && collection.find(idKey(record.doc))?.rid !== record.rid)
      missing.push({ indexName: '_id_', rid: record.rid });
  }
  const checks = (corrupt.length > 0 ? [] : collection.indexes).map((index) => ({
    index,
    ...collection.checkIndex(index),
  }));
  for (const { index, missing: rows } of checks)
    for (const rid of rows) missing.push({ indexName: index.name, rid });
  const indexes = checks.map(({ index, keys, missing: rows, extra }) => ({
    name: index.name,
    keys,
    sound: rows.length === 0 && extra === 0,
    extra: extra !== 0,
  }));
  const differs = records !== collection.documents || indexes.some(({ extra }) => extra);
  // Collections that are not in the oplog have no entries there.
  const changed =
    documents !== collection.documents ||
    bytes !== collection.bytes ||
    oplog.recent.mayHave(
      began + 1,
      (entry) =>
        entry.database === '' || (entry.database === database && (entry.collection ?? name) === name),
    );
  return { records, corrupt, missing, indexes, differs, changed };
}

/** Returns the fields of the reply. */
function reportOf(collection: Collection, found: Found): object {
  const { records, corrupt, missing, indexes, changed } = found;
  const differs = found.differs && !changed;
  const valid = corrupt.length === 0 && missing.length === 0 && !differs;
  const invalid = corrupt.length > 0 ? ['Detected one or more invalid documents. See logs.'] : [];
  const keys = new Map(indexes.map((index) => [index.name, index.keys]));
  const sound = new Map(indexes.map((index) => [index.name, index.sound || (changed && valid)]));
  const specs = specsOf(collection).map((spec) => ({ spec, name: spec.string('name') ?? '' }));
  return {
    nInvalidDocuments: corrupt.length,
    nNonCompliantDocuments: 0,
    nrecords: records,
    nIndexes: collection.indexes.length + 1,
    keysPerIndex: Object.fromEntries(specs.map(({ name }) => [name, keys.get(name) ?? records])),
    indexDetails: Object.fromEntries(
      specs.map(({ spec, name }) => [name, { valid: sound.get(name) ?? missing.length === 0, spec }]),
    ),
    valid,
    repaired: false,
    repairMode: 'None',
    warnings: found.differs && changed ? [UNCOMPARED] : [],
    errors: valid || corrupt.length > 0 ? invalid : ['the collection is damaged'],
    extraIndexEntries: changed
      ? []
      : indexes.filter(({ extra }) => extra).map(({ name: indexName }) => ({ indexName })),
    missingIndexEntries: missing.map(({ indexName, rid }) => ({ indexName, recordId: BigInt(rid) })),
    corruptRecords: corrupt.map(BigInt),
  };
}

const UNCOMPARED =
  'The collection changed during the check, so the numbers of documents and index keys were not compared.';

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

export const validationCommands: readonly Command[] = [validate];
