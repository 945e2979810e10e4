import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { isAbsent, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ownDatabases } from '../../interface/namespaces.ts';
import type { Reply } from '../../message/reply.ts';
import type { Command } from '../context/command.ts';
import { commandShapeHash } from '../planning/command-shape.ts';
import { type QuerySettings, querySettings } from '../planning/query-settings.ts';
import { command } from '../shared/define.ts';
import { fields } from '../shared/fields.ts';
import { checkDatabaseName } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { queryShapes } from '../shared/query-shapes.ts';

const settingsReader = fields('setQuerySettings.settings', {
  indexHints: 'value',
  queryFramework: 'string',
  reject: 'bool',
  comment: 'value',
  serialization_context: 'value',
});

const hintReader = fields('setQuerySettings.settings.indexHints', {
  ns: 'object!',
  allowedIndexes: 'array!',
});

const setQuerySettings = command({
  name: 'setQuerySettings',
  ...reading,
  database: 'admin',
  privileges: () => [{ action: 'querySettings' }],
  fields: { setQuerySettings: 'value!', settings: 'object!' },
  run({ setQuerySettings: query, settings }, _request, cluster): Reply {
    const { hash, representative } = readQuery(query, 'setQuerySettings');
    const all = querySettings(cluster);
    const before = all.get(hash);
    checkNotEmpty(settings);
    const merged = mergedSettings(before?.settings, settings);
    const { rejects } = readSettings(merged);
    const known = representative ?? before?.representative;
    const set = { settings: merged, rejects, ...(known === undefined ? {} : { representative: known }) };
    checkSize(all, hash, set);
    all.set(hash, set);
    return { queryShapeHash: hash, representativeQuery: known, settings: merged };
  },
});

/** Maximum size of all query settings of a cluster, in bytes. The server stores all of them in one document. */
const MAX_BYTES = 16 << 20;
/** Estimated memory of the settings of one shape, in addition to their documents. */
const SETTINGS_BYTES = 512;

const sizeOf = ({ settings, representative }: QuerySettings) =>
  SETTINGS_BYTES + settings.length + (representative?.length ?? 0);

/** Throws if the settings of all shapes would need too much memory. */
function checkSize(all: ReadonlyMap<string, QuerySettings>, hash: string, set: QuerySettings): void {
  let bytes = sizeOf(set);
  for (const [other, settings] of all) if (other !== hash) bytes += sizeOf(settings);
  if (bytes <= MAX_BYTES) return;
  throw new ServerError(
    'BSONObjectTooLarge',
    'cannot modify query settings: the total size exceeds the maximum allowed size',
  );
}

/** Returns the settings `before`, with the fields in `changed` added or replaced. */
function mergedSettings(before: RawDocument | undefined, changed: RawDocument): RawDocument {
  const kept = [...(before ?? [])].filter(({ name }) => !changed.has(name));
  return writeDocument((writer) => {
    for (const field of [...kept, ...changed]) writer.element(field);
  });
}

const removeQuerySettings = command({
  name: 'removeQuerySettings',
  ...reading,
  database: 'admin',
  privileges: () => [{ action: 'querySettings' }],
  fields: { removeQuerySettings: 'value!' },
  run({ removeQuerySettings: query }, _request, cluster): Reply {
    querySettings(cluster).delete(readQuery(query, 'removeQuerySettings').hash);
    return {};
  },
});

export const querySettingsCommands: readonly Command[] = [setQuerySettings, removeQuerySettings];

interface Query {
  readonly hash: string;
  readonly representative?: RawDocument;
}

/** Parses the hash of a query shape, or a query with that shape. */
function readQuery(value: Value, within: string): Query {
  if (value.type === bsonTypes.string) return { hash: readHash(textOf(value)) };
  if (value.type !== bsonTypes.object) {
    throw new ServerError(
      'TypeMismatch',
      `BSON field '${within}.${within}' is the wrong type '${typeName(value.type)}', expected types '[string, object]'`,
    );
  }
  const query = documentOf(value);
  const name = query.first()?.name ?? '';
  if (!queryShapes.has(name)) throw new ServerError(7746402, 'QueryShape can not be computed for command');
  const db = query.get('$db');
  if (db === undefined || isAbsent(db)) {
    throw new ServerError(40414, `BSON field '${within}.$db' is missing but a required field`);
  }
  const database = db.type === bsonTypes.string ? textOf(db) : '';
  checkDatabaseName(database);
  if (within === 'setQuerySettings') checkQuery(query, name, database);
  return { hash: commandShapeHash(name, database, query) ?? '', representative: query.compact() };
}

function readHash(text: string): string {
  if (/[^0-9A-Fa-f]/.test(text)) throw new ServerError('BadValue', `not a hash: ${text}`);
  if (text.length !== 64) {
    throw new ServerError('InvalidLength', `a hash has 64 hexadecimal digits, but this has ${text.length}`);
  }
  return text.toUpperCase();
}

function checkQuery(query: RawDocument, name: string, database: string): void {
  const collection = query.get(name);
  const onSystem = collection?.type === bsonTypes.string && textOf(collection).startsWith('system.');
  if (ownDatabases.has(database) || onSystem) {
    throw new ServerError(
      8584900,
      'setQuerySettings command cannot be used on internal databases or system collections',
    );
  }
  const filter = query.get('filter');
  const [only, ...others] = filter?.type === bsonTypes.object ? [...documentOf(filter)] : [];
  if (name === 'find' && only?.name === '_id' && others.length === 0 && only.type !== bsonTypes.object) {
    throw new ServerError(7746606, 'setQuerySettings command cannot be used on find queries by _id alone');
  }
}

function checkNotEmpty(settings: RawDocument): void {
  if (!settings.isEmpty) return;
  throw new ServerError(8727502, 'Resulting settings cannot be empty or contain only default values');
}

function readSettings(settings: RawDocument): { rejects: boolean } {
  const { indexHints, queryFramework, reject } = settingsReader.read(settings);
  const hints = indexHints === undefined ? 0 : readHints(indexHints);
  if (queryFramework !== undefined && queryFramework !== 'classic' && queryFramework !== 'sbe') {
    throw new ServerError(
      'BadValue',
      `Enumeration value '${queryFramework}' for field 'setQuerySettings.settings.queryFramework' is not a valid value.`,
    );
  }
  if (hints === 0 && queryFramework === undefined && reject !== true) {
    throw new ServerError(7746604, 'the resulting settings cannot be empty or contain only default values');
  }
  return { rejects: reject === true };
}

/** Validates the hints. Returns the number of indexes that they name. */
function readHints(value: Value): number {
  const entries = value.type === bsonTypes.array ? entriesOf(value) : [value];
  let indexes = 0;
  for (const entry of entries) {
    if (entry.type !== bsonTypes.object) {
      throw new ServerError('TypeMismatch', 'indexHints must be an object or an array of objects');
    }
    const { ns, allowedIndexes } = hintReader.read(documentOf(entry));
    checkNamespaceOf(ns);
    for (const index of allowedIndexes) checkIndex(index);
    indexes += allowedIndexes.length;
  }
  return indexes;
}

function checkNamespaceOf(ns: RawDocument): void {
  if (ns.string('db', 'ns') === undefined) throw new ServerError(8727500, "the field 'ns.db' is missing");
  if (ns.string('coll', 'ns') === undefined) throw new ServerError(8727501, "the field 'ns.coll' is missing");
}

function checkIndex({ type }: Value): void {
  if (type === bsonTypes.string || type === bsonTypes.object) return;
  throw new ServerError('TypeMismatch', 'each of allowedIndexes must be a string or an object');
}
