import { bsonTypes } from '../../bson/bson-types.ts';
import { RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { addMetadata } from '../../language/metadata.ts';
import type { SearchFacts } from '../../language/pipeline/system/search-facts.ts';
import type { SearchStage } from '../../search/nodes/messages.ts';
import { type Found, runSearch, runVectorSearch, type SearchSource } from '../../search/query/run.ts';
import type { Synonyms } from '../../search/query/searching.ts';
import { readVectorRequest } from '../../search/query/vector-stage.ts';
import { synonymsIn } from '../../search/synonyms.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { describeIndex } from './describe.ts';
import { documentsOf } from './documents.ts';
import { shownDefinition } from './shown-definition.ts';

/**
 * Gives pipeline stages access to the search indexes of a collection. With `explained`, no search is
 * executed.
 */
export function searchFacts(
  request: Pick<CommandRequest, 'caller' | 'database'>,
  name: string | undefined,
  cluster: ClusterContext,
  explained: boolean,
): SearchFacts {
  const own = () => (name === undefined ? undefined : cluster.store.collection(request.database, name));
  return {
    search(spec, metaOnly) {
      const collection = own();
      if (collection === undefined) return undefined;
      const counted = searchCounter(request, spec, collection, cluster);
      const { found, meta } = counted.first(
        () =>
          searchOnNode(metaOnly ? '$searchMeta' : '$search', spec, collection, cluster) ??
          runSearch(spec, sourceOf(collection, cluster), metaOnly),
      );
      return { documents: withScore(counted.rest(found), 'searchScore'), meta: meta.toValue() };
    },
    *vectors(spec) {
      const collection = own();
      if (collection === undefined) return;
      const counted = searchCounter(request, spec, collection, cluster);
      const found = counted.first(
        () =>
          searchOnNode('$vectorSearch', spec, collection, cluster)?.found ??
          runVectorSearch(spec, sourceOf(collection, cluster)),
      );
      yield* withScore(counted.rest(found), 'vectorSearchScore');
    },
    indexes({ id, name: wanted }) {
      const collection = own();
      if (collection === undefined) return [];
      return cluster.store.searchIndexes
        .of(collection.uuid)
        .filter(
          (index) => (id === undefined || index.id === id) && (wanted === undefined || index.name === wanted),
        )
        .map((index) => describeIndex(index, collection.database, cluster, shownDefinition));
    },
    of: ({ database = request.database, collection }) =>
      searchFacts({ ...request, database }, collection, cluster, explained),
    ...(explained
      ? {
          checkExplained(stage, spec) {
            if (stage === '$vectorSearch') readVectorRequest(spec, true);
          },
        }
      : {}),
  };
}

/** Counts searches on an existing index, and the `getMore` commands that read their results. */
function searchCounter(
  { caller }: Pick<CommandRequest, 'caller'>,
  spec: RawDocument,
  { uuid, running }: Collection,
  { counters, store }: ClusterContext,
) {
  const name = spec.get('index');
  const index = store.searchIndexes.named(uuid, name?.type === bsonTypes.string ? textOf(name) : 'default');
  const count = (how: 'succeeded' | 'failed' | 'getMores') => {
    if (index !== undefined) counters.of(caller.member).searched(index.id, how);
  };
  return {
    first<T>(search: () => T): T {
      try {
        const found = search();
        count('succeeded');
        return found;
      } catch (error) {
        count('failed');
        throw error;
      }
    },
    *rest(found: Iterable<Found>): Generator<Found> {
      let statement = running.operation;
      for (const one of found) {
        if (running.operation !== statement) count('getMores');
        statement = running.operation;
        yield one;
      }
    },
  };
}

function* withScore(
  found: Iterable<Found>,
  name: 'searchScore' | 'vectorSearchScore',
): Generator<RawDocument> {
  for (const { document, score, highlights, details, sequenceToken, rootId } of found) {
    const own = document.compact();
    addMetadata(own, {
      search: {
        [name]: score,
        ...(highlights && { highlights }),
        ...(details && { details }),
        ...(sequenceToken && { sequenceToken }),
        ...(rootId && { rootId }),
      },
    });
    yield own;
  }
}

/** Runs the search on a search node. Returns undefined if the cluster has no search nodes. */
function searchOnNode(
  stage: SearchStage,
  spec: RawDocument,
  { uuid, database, running }: Collection,
  { searchNodes }: ClusterContext,
) {
  const result = searchNodes.search({ stage, spec, uuid, database, statement: running });
  return result && { found: result.found, meta: result.meta ?? RawDocument.empty };
}

function sourceOf(collection: Collection, cluster: ClusterContext): SearchSource {
  const { store, search } = cluster;
  const { running } = collection;
  return {
    index: (name) => store.searchIndexes.named(collection.uuid, name),
    reader: search,
    find(key) {
      running.check();
      return collection.find(key)?.doc;
    },
    check: Object.assign(() => running.check(), { now: () => running.checkNow() }),
    synonyms:
      ({ synonyms, analyzers }): Synonyms =>
      (name) => {
        const mapping = synonyms.find((one) => one.name === name);
        if (mapping === undefined) return undefined;
        const source = store.collection(collection.database, mapping.collection);
        const documents = source === undefined ? [] : documentsOf(source);
        const { analyzer } = mapping;
        const analysis = { analyzer, analyze: analyzers(analyzer) };
        return synonymsIn(documents, analysis, () => running.checkNow());
      },
  };
}
