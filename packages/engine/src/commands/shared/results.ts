import type { RawDocument } from '../../bson/raw.ts';
import { MAX_DOCUMENT_SIZE, MAX_INTERNAL_SIZE, tooLarge } from '../../bson/validate.ts';
import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Results } from '../context/cursors.ts';
import type { CommandRequest } from '../context/request.ts';

/** What a result is read from, where it can say more than its documents. */
export interface ResultSource {
  /** Gives back what was read ahead. */
  release(): void;
  /** True when it is known that nothing follows. */
  readonly ended: boolean;
}

/** What a first batch holds when the caller does not say. */
export const FIRST_BATCH = 101;

/** Documents of an iterator, in batches. */
export class DocumentResults implements Results {
  readonly #documents: Iterator<RawDocument>;
  readonly #source: ResultSource | undefined;
  /** Read, but too large for the last batch. */
  #held: RawDocument | undefined;
  #remaining: number;
  #finished = false;

  /** `limit` is how many documents there are at most. */
  constructor(documents: Iterator<RawDocument>, source?: ResultSource, limit = Number.POSITIVE_INFINITY) {
    this.#documents = documents;
    this.#source = source;
    this.#remaining = limit;
  }

  take(limit: number): RawDocument[] {
    const batch: RawDocument[] = [];
    let bytes = 0;
    while (batch.length < limit && this.#remaining > 0) {
      const document = this.#next();
      if (document === undefined) break;
      if (bytes + document.length > MAX_DOCUMENT_SIZE && batch.length > 0) {
        this.#held = document.compact();
        break;
      }
      batch.push(document);
      bytes += document.length;
      this.#remaining--;
    }
    this.#source?.release();
    return batch;
  }

  get ended(): boolean {
    if (this.#held !== undefined) return false;
    return this.#finished || this.#remaining === 0 || (this.#source?.ended ?? false);
  }

  #next(): RawDocument | undefined {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined || this.#finished) return held;
    const { done, value } = this.#documents.next();
    if (done) {
      this.#finished = true;
      return undefined;
    }
    // Stages make documents of any size; none that is too large leaves.
    if (value.length > MAX_INTERNAL_SIZE) throw tooLarge(value.length);
    return value;
  }
}

/** The first batch of a result, and a cursor for the rest when there is one. */
export function firstBatch(
  results: Results,
  { namespace, batchSize = FIRST_BATCH, single = false, lasting = false, awaits = false }: BatchOptions,
  request: CommandRequest,
  cluster: ClusterContext,
): Reply {
  const batch = results.take(batchSize);
  const done = single || results.ended;
  const id = done
    ? 0n
    : cluster.cursors.open({
        namespace,
        owner: ownerOf(request),
        lasting,
        awaits,
        results,
        ...(request.session === undefined ? {} : { session: request.session }),
      });
  const postBatchResumeToken = results.resumeToken;
  return { cursor: { firstBatch: batch, postBatchResumeToken, id, ns: namespace } };
}

export interface BatchOptions {
  readonly namespace: string;
  readonly batchSize?: number | undefined;
  /** Nothing but the first batch is wanted. */
  readonly single?: boolean | undefined;
  /** The cursor does not time out. */
  readonly lasting?: boolean | undefined;
  /** More may come at any time. */
  readonly awaits?: boolean | undefined;
}

/** Whom a cursor belongs to; empty when nobody is logged in. */
export function ownerOf({ caller: { user } }: CommandRequest): string {
  return user === undefined ? '' : `${user.database}.${user.username}`;
}
