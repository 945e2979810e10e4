import { bsonTypes } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { fields } from '../shared/fields.ts';
import { checkNamespace } from '../shared/namespace.ts';
import { inspecting } from '../shared/presets.ts';

const apiReader = fields('validateDBMetadata.apiParameters', {
  version: 'string!',
  strict: 'flag',
  deprecationErrors: 'flag',
});

/** Lists the properties outside the stable API that collections have. */
const validateDBMetadata = command({
  name: 'validateDBMetadata',
  ...inspecting,
  privileges: ({ database }) => [{ action: 'validate', database, collection: '' }],
  fields: {
    validateDBMetadata: 'value!',
    db: 'string',
    collection: 'string',
    apiParameters: 'object!',
  },
  run({ db, collection: name, apiParameters }, _request, { store }) {
    const { version, strict = false } = apiReader.read(apiParameters);
    if (db !== undefined) checkName(db);
    if (name !== undefined) checkNamespace(db ?? '', name);
    if (version !== '1' || !strict) return { apiVersionErrors: [] };
    const databases = db === undefined ? store.databases() : [db];
    return { apiVersionErrors: databases.flatMap((database) => errorsIn(database, name, store)) };
  },
});

/** Validates a database name with the error codes of this command. */
function checkName(db: string): void {
  if (db === '') throw new ServerError(28539, 'db name is empty');
  if (Buffer.byteLength(db) > 63 || db.includes('.') || db.includes('\0')) {
    throw new ServerError('InvalidNamespace', `Invalid database name: '${db}'`);
  }
  if (/[/\\ "]/.test(db)) throw new ServerError(13280, `invalid db name: ${db}`);
}

function errorsIn(database: string, name: string | undefined, store: ClusterContext['store']): object[] {
  return store
    .collections(database)
    .filter((collection) => name === undefined || collection.name === name)
    .flatMap(({ namespace: ns, indexes }) =>
      indexes
        .filter(({ spec }) => !isStable(spec))
        .map(({ spec }) => ({
          ns,
          code: 323,
          codeName: 'APIStrictError',
          errmsg: `The index with name ${spec.string('name')} is not allowed in API version 1.`,
        })),
    );
}

function isStable(spec: RawDocument): boolean {
  if (spec.bool('sparse')) return false;
  const key = spec.document('key');
  return [...(key ?? [])].every((part) => part.type !== bsonTypes.string || textOf(part) !== 'text');
}

export const metadataCommands: readonly Command[] = [validateDBMetadata];
