import { createHash } from 'node:crypto';
import { bsonTypes } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { Command } from '../context/command.ts';
import { commitQuorum } from '../shared/commit-quorum.ts';
import { command } from '../shared/define.ts';
import { listOf, required } from '../shared/field-builders.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading, writing } from '../shared/presets.ts';
import { collectionIn } from '../views/view.ts';

const NOT_ENCRYPTED = 6_346_807;
const MISSING_TOKEN = 7_294_900;

const compactStructuredEncryptionData = command({
  name: 'compactStructuredEncryptionData',
  ...writing,
  audit: 'none',
  privileges: onCollection('compactStructuredEncryptionData'),
  fields: {
    compactStructuredEncryptionData: 'collection!',
    compactionTokens: 'object!',
    encryptionInformation: 'object',
    anchorPaddingFactor: 'double',
  },
  run({ compactStructuredEncryptionData: name, compactionTokens }, { database }, { store }) {
    checkNamespace(database, name);
    const collection = collectionIn(store, database, name);
    if (collection === undefined) {
      throw new ServerError('NamespaceNotFound', `${database}.${name} does not exist`);
    }
    const fields = collection.options.document('encryptedFields')?.documents('fields');
    if (fields === undefined)
      throw new ServerError(NOT_ENCRYPTED, 'Target namespace is not an encrypted collection');
    for (const path of fields.map((field) => field.string('path') ?? '')) {
      if (compactionTokens.has(path)) continue;
      throw new ServerError(MISSING_TOKEN, `No compaction token found for encrypted path ${path}`);
    }
    // Drivers maintain the state collections of encrypted fields. These collections contain no duplicates, so
    // there is nothing to compact.
    const none = { read: 0n, inserted: 0n, updated: 0n, deleted: 0n };
    return { stats: { esc: none, ecoc: { read: 0n, deleted: 0n } } };
  },
});

const setIndexCommitQuorum = command({
  name: 'setIndexCommitQuorum',
  ...reading,
  privileges: onCollection('createIndex'),
  fields: {
    setIndexCommitQuorum: 'collection!',
    indexNames: required(listOf('string')),
    commitQuorum: required(commitQuorum),
  },
  // No index build can be in progress, because the command that creates an index also builds it.
  run({ setIndexCommitQuorum: name }, { database }) {
    throw new ServerError(
      'IndexNotFound',
      `Cannot find an index build on collection '${database}.${name}' with the provided index names`,
    );
  },
});

const filemd5 = command({
  name: 'filemd5',
  ...reading,
  privileges: ({ body, database }) => [
    { action: 'find', database, collection: `${body.string('root') ?? 'fs'}.chunks` },
  ],
  fields: { filemd5: 'value!', root: 'string', partialOk: 'truth', md5state: 'any' },
  run({ filemd5: id, root = 'fs' }, { database }, { store }) {
    const hash = createHash('md5');
    let numChunks = 0;
    for (const chunk of chunksOf(store.collection(database, `${root}.chunks`), id)) {
      if (numberOf(chunk) !== numChunks)
        throw new ServerError(50985, `exception: chunk ${numChunks} is missing`);
      hash.update(contentOf(chunk));
      numChunks++;
    }
    return { numChunks, md5: hash.digest('hex') };
  },
});

function chunksOf(collection: Collection | undefined, id: Value): RawDocument[] {
  const found: RawDocument[] = [];
  const stream = collection?.scan({ kind: 'natural', reverse: false });
  for (let record = stream?.next(); record !== undefined; record = stream?.next()) {
    const owner = record.doc.get('files_id');
    if (owner !== undefined && compareValues(owner, id) === 0) found.push(record.doc.compact());
  }
  return found.sort((a, b) => numberOf(a) - numberOf(b));
}

function numberOf(chunk: RawDocument): number {
  const n = chunk.get('n');
  return n !== undefined && isNumber(n) ? toNumber(n) : -1;
}

/** Returns the content of a chunk. The content follows 4 bytes of length and 1 byte of subtype. */
function contentOf(chunk: RawDocument): Uint8Array {
  const data = chunk.get('data');
  if (data?.type !== bsonTypes.binData)
    throw new ServerError(50847, 'The element that calls binDataClean() must be type of BinData');
  return data.bytes.subarray(data.start + 5, data.end);
}

export const maintenanceCommands: readonly Command[] = [
  compactStructuredEncryptionData,
  setIndexCommitQuorum,
  filemd5,
];
