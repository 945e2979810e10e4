import { received } from '@portolan/foundation/received';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Found } from '../query/run.ts';
import { readFound } from './found.ts';
import {
  ANSWERS,
  GIVEN_UP,
  type NodeAnswer,
  type NodeLink,
  type NodeRequest,
  newSearchState,
  type SearchStage,
} from './messages.ts';

/** The time between two interruption checks of a waiting statement. A reply ends the wait at once. */
const WAIT_MS = 1;

type Answered = Exclude<NodeAnswer, { readonly error: unknown }>;

interface Wanted {
  readonly stage: SearchStage;
  readonly spec: RawDocument;
  readonly uuid: Uint8Array;
  readonly database: string;
  /** The statement that waits. It can be interrupted, and other statements may run meanwhile. */
  readonly statement: Statement;
}

/** The search nodes of a cluster, as its query thread uses them. */
export class SearchNodes {
  #nodes: Node[] = [];

  add(link: NodeLink): void {
    this.#nodes.push(new Node(link));
  }

  /** Searches on the node with the fewest open searches. Returns undefined if there is no node. */
  search(wanted: Wanted): { found: Iterable<Found>; meta: RawDocument | undefined } | undefined {
    this.#nodes = this.#nodes.filter(({ gone }) => !gone);
    const [node] = this.#nodes.toSorted((a, b) => a.openSearches - b.openSearches);
    if (node === undefined) return undefined;
    const search = new NodeSearch(node, wanted);
    const first = search.first(wanted);
    // The node ended during the search. Another node may still be running.
    if (first === undefined) return this.search(wanted);
    return { found: search.all(first), meta: first.meta && new RawDocument(first.meta) };
  }

  close(): void {
    for (const node of this.#nodes) node.close();
    this.#nodes = [];
  }
}

class Node {
  readonly #link: NodeLink;
  readonly #alive: Int32Array;
  /** Replies that arrived while another statement was waiting. */
  readonly #answers = new Map<number, NodeAnswer>();
  readonly #open = new Set<number>();
  #lastSearchId = 0;

  constructor(link: NodeLink) {
    this.#link = link;
    this.#alive = new Int32Array(link.alive);
    link.port.unref();
  }

  get gone(): boolean {
    return Atomics.load(this.#alive, 0) === 0;
  }

  get openSearches(): number {
    return this.#open.size;
  }

  begin(): number {
    this.#open.add(++this.#lastSearchId);
    return this.#lastSearchId;
  }

  /** Ends a search. Repeated calls have no effect. */
  end(searchId: number): void {
    this.#answers.delete(searchId);
    if (this.#open.delete(searchId) && !this.gone) this.post({ kind: 'end', searchId });
  }

  post(request: NodeRequest): void {
    this.#link.port.postMessage(request);
  }

  take(searchId: number): NodeAnswer | undefined {
    for (const answer of received<NodeAnswer>(this.#link.port)) {
      if (this.#open.has(answer.searchId)) this.#answers.set(answer.searchId, answer);
    }
    const answer = this.#answers.get(searchId);
    this.#answers.delete(searchId);
    return answer;
  }

  close(): void {
    this.#link.port.close();
  }
}

/** Ends the search of a cursor that is garbage-collected. */
const dropped = new FinalizationRegistry(({ node, searchId }: { node: Node; searchId: number }) =>
  node.end(searchId),
);

/** One search on a node. */
class NodeSearch {
  readonly #node: Node;
  readonly #searchId: number;
  readonly #memory = newSearchState();
  readonly #state = new Int32Array(this.#memory);
  readonly #statement: Statement;

  constructor(node: Node, { statement }: Wanted) {
    this.#node = node;
    this.#searchId = node.begin();
    this.#statement = statement;
    dropped.register(this, { node, searchId: this.#searchId });
  }

  /** Returns the first reply, or undefined if the node has ended. */
  first({ stage, spec, uuid, database }: Wanted): Answered | undefined {
    const [searchId, state] = [this.#searchId, this.#memory];
    // Copies the bytes, because posting a view would copy its whole buffer.
    const own = { spec: spec.toBytes().slice(), uuid: uuid.slice() };
    return this.#answered({ kind: 'search', searchId, stage, ...own, database, state });
  }

  *all(first: Answered): Generator<Found> {
    try {
      for (let answer = first; ; ) {
        yield* readFound(answer.found);
        if (answer.ended) return;
        const next = this.#answered({ kind: 'more', searchId: this.#searchId });
        if (next === undefined) throw new ServerError('QueryPlanKilled', 'the search node has ended');
        answer = next;
      }
    } finally {
      this.#node.end(this.#searchId);
    }
  }

  #answered(request: NodeRequest): Answered | undefined {
    const seen = Atomics.load(this.#state, ANSWERS);
    this.#node.post(request);
    let answer: NodeAnswer | undefined;
    try {
      answer = this.#wait(seen);
    } catch (error) {
      // Tells the node to stop the search.
      Atomics.store(this.#state, GIVEN_UP, 1);
      this.#node.end(this.#searchId);
      throw error;
    }
    if (answer === undefined || 'error' in answer || answer.ended) this.#node.end(this.#searchId);
    if (answer === undefined || !('error' in answer)) return answer;
    const { code, message, more } = answer.error;
    throw new ServerError(code, message, more);
  }

  #wait(seen: number): NodeAnswer | undefined {
    for (;;) {
      const answer = this.#node.take(this.#searchId);
      if (answer !== undefined) return answer;
      if (this.#node.gone) return undefined;
      Atomics.wait(this.#state, ANSWERS, seen, WAIT_MS);
      this.#statement.checkNow();
    }
  }
}
