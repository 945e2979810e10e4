import { isService } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited, namespaceIn } from '../../observe/audited.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { rejectView } from '../indexes/specifications.ts';
import { command } from '../shared/define.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading, writing } from '../shared/presets.ts';
import { DocumentResults, firstBatch } from '../shared/results.ts';
import { checkDefinition, checkTotals, readNewIndex } from './definition.ts';
import { describeIndex } from './describe.ts';

/**
 * This file contains the commands on search indexes. Indexes are built in the background and can be queried when they
 * are ready.
 */

const createSearchIndexes = command({
  name: 'createSearchIndexes',
  ...writing,
  audit: audited('createSearchIndexes', ({ args, database }) => ({
    ns: namespaceIn(args, database, 'createSearchIndexes'),
  })),
  privileges: onCollection('createSearchIndexes'),
  fields: { createSearchIndexes: 'collection!', indexes: 'documents!' },
  run({ createSearchIndexes: name, indexes }, request, cluster) {
    const collection = collectionNamed(name, request, cluster);
    if (indexes.length === 0) throw new ServerError('BadValue', 'Must specify at least one index to create');
    const wanted = indexes.map((index, at) => readNewIndex(index, at, isService(request.caller)));
    const { searchIndexes } = cluster.store;
    const names = new Set<string>();
    for (const { name: own, id } of wanted) {
      const known = searchIndexes.named(collection.uuid, own);
      if ((known !== undefined && known.id !== id) || names.has(own)) {
        throw new ServerError(
          'IndexAlreadyExists',
          `An index named "${own}" is already defined for collection ${name}. Index names must be unique for a source collection and all its views.`,
        );
      }
      names.add(own);
    }
    checkTotals(
      searchIndexes,
      wanted.filter(({ id }) => id === undefined || searchIndexes.byId(id) === undefined),
    );
    const created = wanted.map(({ id, name: own, type, definition, analyzers }) => {
      const newId = id ?? idOf(cluster);
      if (searchIndexes.byId(newId) === undefined) {
        const { uuid } = collection;
        searchIndexes.save({
          id: newId,
          uuid,
          name: own,
          type,
          definition,
          analyzers,
          version: 0,
          created: cluster.clock.now(),
        });
      }
      return { id: newId, name: own };
    });
    cluster.searchIndexesChanged();
    return { indexesCreated: created };
  },
});

function idOf({ random }: ClusterContext): string {
  const { bytes, start, end } = random.newId();
  return Buffer.from(bytes.subarray(start, end)).toString('hex');
}

const updateSearchIndex = command({
  name: 'updateSearchIndex',
  ...writing,
  audit: audited('updateSearchIndex', ({ args, database }) => ({
    ns: namespaceIn(args, database, 'updateSearchIndex'),
  })),
  privileges: onCollection('updateSearchIndex'),
  fields: {
    updateSearchIndex: 'collection!',
    id: 'string',
    name: 'string',
    definition: 'object!',
    analyzers: 'object',
    version: 'int',
  },
  run({ updateSearchIndex: name, definition, version, analyzers, ...wanted }, request, cluster) {
    const collection = collectionNamed(name, request, cluster);
    const index = requireIndex(collection, wanted, cluster);
    const isKnown = version !== undefined && isService(request.caller);
    checkDefinition(index.type, definition, 'definition', analyzers, isKnown);
    const next = version ?? index.version + 1;
    if (next > index.version) {
      checkTotals(cluster.store.searchIndexes, [{ definition, analyzers }], index);
      cluster.store.searchIndexes.save({
        ...index,
        definition,
        analyzers,
        version: next,
        created: cluster.clock.now(),
      });
      cluster.searchIndexesChanged();
    }
    return {};
  },
});

const dropSearchIndex = command({
  name: 'dropSearchIndex',
  ...writing,
  audit: audited('dropSearchIndex', ({ args, database }) => ({
    ns: namespaceIn(args, database, 'dropSearchIndex'),
  })),
  privileges: onCollection('dropSearchIndex'),
  fields: { dropSearchIndex: 'collection!', id: 'string', name: 'string' },
  run({ dropSearchIndex: name, ...wanted }, request, cluster) {
    const collection = collectionNamed(name, request, cluster);
    cluster.store.searchIndexes.remove(requireIndex(collection, wanted, cluster).id);
    cluster.searchIndexesChanged();
    return {};
  },
});

const listSearchIndexes = command({
  name: 'listSearchIndexes',
  ...reading,
  privileges: onCollection('listSearchIndexes'),
  fields: {
    listSearchIndexes: 'collection!',
    id: 'string',
    name: 'string',
    cursor: 'object',
    after: 'string',
    maxBytes: 'int',
  },
  run({ listSearchIndexes: name, ...wanted }, request, cluster) {
    const namespace = checkNamespace(request.database, name);
    const collection = cluster.store.collection(request.database, name);
    const found =
      collection === undefined ? [] : cluster.store.searchIndexes.of(collection.uuid, wanted.after);
    const shown = found
      .filter((index) => wanted.id === undefined || index.id === wanted.id)
      .filter((index) => wanted.name === undefined || index.name === wanted.name);
    const described = shown.values().map((index) => describeIndex(index, request.database, cluster));
    if (wanted.maxBytes !== undefined) return piece(described, wanted.maxBytes, namespace);
    const results = new DocumentResults(described, undefined, shown.length);
    return firstBatch(results, { namespace, batchSize: Number.POSITIVE_INFINITY }, request, cluster);
  },
});

/**
 * Returns the first of the described indexes, up to `maxBytes`, without a cursor. In the reply, `more` is true if
 * there are further indexes. The service lists indexes in such pieces, because decoding a long reply would block its
 * thread.
 */
function piece(described: IteratorObject<RawDocument>, maxBytes: number, namespace: string) {
  const batch: RawDocument[] = [];
  let bytes = 0;
  for (const document of described) {
    bytes += document.length;
    if (bytes > maxBytes && batch.length > 0)
      return { cursor: { firstBatch: batch, id: 0n, ns: namespace }, more: true };
    batch.push(document);
  }
  return { cursor: { firstBatch: batch, id: 0n, ns: namespace } };
}

function collectionNamed(name: string, request: CommandRequest, cluster: ClusterContext): Collection {
  checkNamespace(request.database, name);
  rejectView(request.database, name, cluster);
  const collection = cluster.store.collection(request.database, name);
  if (collection === undefined) {
    throw new ServerError('NamespaceNotFound', `Collection '${request.database}.${name}' does not exist.`);
  }
  if (collection.options.has('timeseries')) {
    throw new ServerError(
      'CommandNotSupported',
      'search indexes are not supported on time-series collections',
    );
  }
  return collection;
}

function requireIndex(
  collection: Collection,
  { id, name }: { readonly id?: string | undefined; readonly name?: string | undefined },
  { store }: ClusterContext,
): SearchIndexRow {
  if ((id === undefined) === (name === undefined)) {
    throw new ServerError('InvalidOptions', 'Exactly one of "id" and "name" must be given');
  }
  const found =
    id === undefined ? store.searchIndexes.named(collection.uuid, name ?? '') : store.searchIndexes.byId(id);
  if (found === undefined || Buffer.compare(found.uuid, collection.uuid) !== 0) {
    throw new ServerError(
      'IndexNotFound',
      `Search index '${id ?? name}' does not exist on ${collection.namespace}`,
    );
  }
  return found;
}

export const searchCommands: readonly Command[] = [
  createSearchIndexes,
  updateSearchIndex,
  dropSearchIndex,
  listSearchIndexes,
];
