import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ownDatabases } from '../../interface/namespaces.ts';
import type { Reply } from '../../message/reply.ts';
import type { Command } from '../context/command.ts';
import { commandShapeHash } from '../planning/command-shape.ts';
import { type QuerySettings, querySettings } from '../planning/query-settings.ts';
import { command } from '../shared/define.ts';
import {
  byType,
  converted,
  listOf,
  nested,
  notNull,
  ofTypes,
  required,
  text,
  validated,
  words,
} from '../shared/field-builders.ts';
import { type FieldType, fields, readerOf } from '../shared/fields.ts';
import { checkDatabaseName } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { queryShapes } from '../shared/query-shapes.ts';

const ns = nested(
  {
    db: required('string', () => new ServerError(8727500, "the field 'ns.db' is missing")),
    coll: required('string', () => new ServerError(8727501, "the field 'ns.coll' is missing")),
  },
  { ignored: () => true },
);

const allowedIndexes = listOf(
  ofTypes(
    ['string', 'object'],
    () => new ServerError('TypeMismatch', 'each of allowedIndexes must be a string or an object'),
  ),
);

const hint = byType(
  { object: nested({ ns: required(ns), allowedIndexes: required(allowedIndexes) }).read },
  wrongHints,
);

/** The hints for one or several collections. Null is an error. */
const indexHints = notNull(
  byType(
    {
      array: listOf(hint).read,
      object: (value, name, within) => [hint.read(value, name, within)],
    },
    wrongHints,
  ),
);

function wrongHints(): ServerError {
  return new ServerError('TypeMismatch', 'indexHints must be an object or an array of objects');
}

const settingsTable = {
  indexHints,
  queryFramework: words(['classic', 'sbe']),
  reject: 'bool',
  comment: 'value',
  serialization_context: 'value',
} as const;

const settingsReader = fields('setQuerySettings.settings', settingsTable);

/** The hash of a query shape, and the query that it was computed from. */
interface Query {
  readonly hash: string;
  readonly representative?: RawDocument;
  readonly database?: string;
}

/** The hash of a query shape, or a query with that shape. Null is an error. */
const queryOrHash: FieldType<Query> = notNull(
  byType({
    string: (value): Query => ({ hash: readHash(textOf(value)) }),
    object: (value, _name, within): Query => readQuery(documentOf(value), within),
  }),
);

function readHash(text: string): string {
  if (/[^0-9A-Fa-f]/.test(text)) throw new ServerError('BadValue', `not a hash: ${text}`);
  if (text.length !== 64) {
    throw new ServerError('InvalidLength', `a hash has 64 hexadecimal digits, but this has ${text.length}`);
  }
  return text.toUpperCase();
}

const readDatabase = readerOf(
  { $db: required(text(() => new ServerError('InvalidNamespace', "Invalid database name: ''"))) },
  { ignored: () => true },
);

function readQuery(query: RawDocument, within: string): Query {
  const name = query.first()?.name ?? '';
  if (!queryShapes.has(name)) throw new ServerError(7746402, 'QueryShape can not be computed for command');
  const { $db: database } = readDatabase(query, within);
  checkDatabaseName(database);
  return { hash: commandShapeHash(name, database, query) ?? '', representative: query.compact(), database };
}

/** Throws for queries that cannot have settings. */
function checkQuery(query: Query): Query {
  const { representative, database = '' } = query;
  if (representative === undefined) return query;
  const name = representative.first()?.name ?? '';
  const collection = representative.get(name);
  const onSystem = collection?.type === bsonTypes.string && textOf(collection).startsWith('system.');
  if (ownDatabases.has(database) || onSystem) {
    throw new ServerError(
      8584900,
      'setQuerySettings command cannot be used on internal databases or system collections',
    );
  }
  const filter = representative.get('filter');
  const [only, ...others] = filter?.type === bsonTypes.object ? [...documentOf(filter)] : [];
  if (name === 'find' && only?.name === '_id' && others.length === 0 && only.type !== bsonTypes.object) {
    throw new ServerError(7746606, 'setQuerySettings command cannot be used on find queries by _id alone');
  }
  return query;
}

const setQuerySettings = command({
  name: 'setQuerySettings',
  ...reading,
  database: 'admin',
  privileges: () => [{ action: 'querySettings' }],
  fields: {
    setQuerySettings: required(converted(queryOrHash, checkQuery)),
    settings: required(validated(nested(settingsTable))),
  },
  run({ setQuerySettings: query, settings }, _request, cluster): Reply {
    const { hash, representative } = query;
    const all = querySettings(cluster);
    const before = all.get(hash);
    checkNotEmpty(settings);
    const merged = mergedSettings(before?.settings, settings);
    const { rejects } = readSettings(merged);
    const known = representative ?? before?.representative;
    const set = { settings: merged, rejects, ...(known === undefined ? {} : { representative: known }) };
    checkSize(all, hash, set);
    all.set(hash, set);
    return { queryShapeHash: hash, settings: merged, representativeQuery: known };
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
  fields: { removeQuerySettings: required(queryOrHash) },
  run({ removeQuerySettings: query }, _request, cluster): Reply {
    querySettings(cluster).delete(query.hash);
    return {};
  },
});

export const querySettingsCommands: readonly Command[] = [setQuerySettings, removeQuerySettings];

function checkNotEmpty(settings: RawDocument): void {
  if (!settings.isEmpty) return;
  throw new ServerError(8727502, 'Resulting settings cannot be empty or contain only default values');
}

function readSettings(settings: RawDocument): { rejects: boolean } {
  const { indexHints: hints = [], queryFramework, reject } = settingsReader.read(settings);
  const isHinted = hints.some((one) => one.allowedIndexes.length > 0);
  if (!isHinted && queryFramework === undefined && reject !== true) {
    throw new ServerError(7746604, 'the resulting settings cannot be empty or contain only default values');
  }
  return { rejects: reject === true };
}
