import { errorMessage } from '@portolan/foundation/thrown';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { SearchReader } from '../file/search-reader.ts';
import { ClusterReader } from '../follow/cluster-reader.ts';
import { type Found, runSearch, runVectorSearch, type SearchSource } from '../query/run.ts';
import type { Synonyms } from '../query/searching.ts';
import { synonymsIn } from '../synonyms.ts';
import { takeFound } from './found.ts';
import { ANSWERS, GIVEN_UP, type NodeAnswer, type NodeRequest } from './messages.ts';

type SearchRequest = Extract<NodeRequest, { kind: 'search' }>;

interface Running {
  readonly found: Iterator<Found>;
  readonly state: Int32Array;
}

/** The caller no longer waits for the search. */
class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** A search node. It runs the searches of one cluster and reads the cluster's files concurrently with their writers. */
export class SearchNode {
  readonly #dir: string;
  readonly #key: Uint8Array | undefined;
  readonly #search: SearchReader;
  #cluster: ClusterReader | undefined;

  constructor(dir: string, key: Uint8Array | undefined) {
    this.#dir = dir;
    this.#key = key;
    this.#search = new SearchReader(dir, key);
  }

  /** Returns the handler for the requests of one caller. Replies are passed to `answer`. */
  session(answer: (answer: NodeAnswer) => void): (request: NodeRequest) => void {
    const running = new Map<number, Running>();
    const reply = (searchId: number, state: Int32Array, work: () => NodeAnswer) => {
      let given: NodeAnswer | undefined;
      try {
        given = work();
      } catch (error) {
        running.delete(searchId);
        if (!(error instanceof GivenUp)) given = { searchId, error: errorOf(error) };
      }
      if (given !== undefined) answer(given);
      Atomics.add(state, ANSWERS, 1);
      Atomics.notify(state, ANSWERS);
    };
    const next = (searchId: number, { found }: Running, meta?: Uint8Array, first = false): NodeAnswer => {
      const { bytes, ended } = takeFound(found, first);
      if (ended) running.delete(searchId);
      return { searchId, meta, found: bytes, ended };
    };
    return (request) => {
      const { searchId } = request;
      if (request.kind === 'search') {
        const state = new Int32Array(request.state);
        reply(searchId, state, () => {
          const { found, meta } = this.#run(request, state);
          const search = { found: found[Symbol.iterator](), state };
          running.set(searchId, search);
          return next(searchId, search, meta?.toBytes().slice(), true);
        });
        return;
      }
      const search = running.get(searchId);
      if (request.kind === 'end') running.delete(searchId);
      else if (search !== undefined) reply(searchId, search.state, () => next(searchId, search));
    };
  }

  #run(
    { stage, spec, uuid, database }: SearchRequest,
    state: Int32Array,
  ): { found: Iterable<Found>; meta: RawDocument | undefined } {
    this.#cluster ??= new ClusterReader(this.#dir, this.#key);
    const source = this.#sourceOf(this.#cluster, { uuid, database }, () => {
      if (Atomics.load(state, GIVEN_UP) === 1) throw new GivenUp();
    });
    const wanted = new RawDocument(spec);
    if (stage === '$vectorSearch') return { found: runVectorSearch(wanted, source), meta: undefined };
    return runSearch(wanted, source, stage === '$searchMeta');
  }

  #sourceOf(
    cluster: ClusterReader,
    { uuid, database }: Pick<SearchRequest, 'uuid' | 'database'>,
    check: () => void,
  ): SearchSource {
    const table = cluster.collection(uuid)?.table;
    return {
      index: (name) => cluster.index(uuid, name),
      reader: this.#search,
      find: (key) => (table === undefined ? undefined : cluster.document(table, key)),
      check,
      synonyms:
        ({ synonyms, analyzers }): Synonyms =>
        (name) => {
          const mapping = synonyms.find((one) => one.name === name);
          if (mapping === undefined) return undefined;
          const source = cluster.named(database, mapping.collection)?.table;
          return synonymsIn(
            source === undefined ? [] : cluster.documents(source, check),
            { analyzer: mapping.analyzer, analyze: analyzers(mapping.analyzer) },
            check,
          );
        },
    };
  }

  /** Releases the parts of the search file that no search has used since the last call. */
  releaseUnused(): void {
    this.#search.releaseUnused();
  }

  close(): void {
    this.#search.close();
    this.#cluster?.close();
    this.#cluster = undefined;
  }
}

function errorOf(error: unknown) {
  if (error instanceof ServerError) {
    const { code, message, more } = error;
    return { code, message, more };
  }
  const { code, message } = new ServerError('InternalError', errorMessage(error));
  return { code, message, more: {} };
}
