import { Binary } from 'bson';
import type { Privilege } from '../../access/privilege.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { checkAllowed } from '../../language/filter/allowed.ts';
import { compileFilter, everything } from '../../language/filter/index.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { idIndexOf } from '../indexes/specifications.ts';
import { cursorOptions } from '../shared/cursor-options.ts';
import { command } from '../shared/define.ts';
import { reading } from '../shared/presets.ts';
import { DocumentResults, firstBatch } from '../shared/results.ts';
import { type View, viewsOf } from '../views/view.ts';
import { bucketsOf } from './create/buckets.ts';

const listCollections = command({
  name: 'listCollections',
  ...reading,
  stableApi: true,
  privileges: privilegesToList,
  fields: {
    listCollections: 'any',
    filter: 'object',
    nameOnly: 'bool',
    authorizedCollections: 'bool',
    cursor: cursorOptions,
    includePendingDrops: 'truth',
  },
  run({ filter, nameOnly = false, authorizedCollections = false, cursor }, request, cluster) {
    const { database, caller } = request;
    const { batchSize = Number.POSITIVE_INFINITY } = cursor ?? {};
    if (filter !== undefined) checkAllowed(filter);
    const wanted = filter ? compileFilter(filter) : everything;
    const documents = describeDatabase(cluster.store, database)
      .filter(
        ({ name }) =>
          !authorizedCollections ||
          cluster.accounts.allows(caller.user, [{ action: 'find', database, collection: name }]),
      )
      .map(({ name, type, ...rest }) => encodeDocument(nameOnly ? { name, type } : { name, type, ...rest }))
      .map((bytes) => new RawDocument(bytes))
      .filter((document) => wanted.matches(document));
    const results = new DocumentResults(documents.values(), undefined, documents.length);
    return firstBatch(
      results,
      { namespace: `${database}.$cmd.listCollections`, batchSize },
      request,
      cluster,
    );
  },
});

/**
 * Returns the required privileges. There are none if the command lists only the names of collections that the
 * caller can read.
 */
function privilegesToList(request: CommandRequest): Privilege[] {
  const { body, database } = request;
  const namesOfOwn = body.bool('nameOnly') === true && body.bool('authorizedCollections') === true;
  return namesOfOwn ? [] : [{ action: 'listCollections', database, collection: '' }];
}

export interface Description {
  readonly name: string;
  readonly type: 'collection' | 'view' | 'timeseries';
  readonly options: unknown;
  readonly info: object;
  readonly idIndex?: object;
}

/** Returns all collections and views of a database, sorted by name. */
export function describeDatabase(store: ClusterStore, database: string): Description[] {
  const collections = store.collections(database).flatMap(describeCollection);
  const views = viewsOf(store, database).map(describeView);
  return [...collections, ...views].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describeCollection(collection: Collection): Description[] {
  const { name, uuid, options } = collection;
  const info = { readOnly: false, uuid: new Binary(uuid, Binary.SUBTYPE_UUID) };
  if (options.has('timeseries')) {
    const buckets = bucketsOf(collection);
    return [
      { name, type: 'timeseries', options, info: { readOnly: false } },
      { name: buckets.name, type: 'collection', options: buckets.options, info },
    ];
  }
  const described = { name, type: 'collection', options, info } as const;
  if (options.has('clusteredIndex')) return [described];
  return [{ ...described, idIndex: idIndexOf(collection) }];
}

function describeView({ name, on, pipeline, collation }: View): Description {
  const options = { viewOn: on, pipeline, ...(collation ? { collation } : {}) };
  return { name, type: 'view', options, info: { readOnly: true } };
}

export const listCollectionsCommands: readonly Command[] = [listCollections];
