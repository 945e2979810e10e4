import type { RawDocument } from '../../bson/raw.ts';
import { isSpent } from '../../bson/turns.ts';
import { MAX_DOCUMENT_SIZE, MAX_INTERNAL_SIZE, tooLarge } from '../../bson/validate.ts';
import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Results } from '../context/cursors.ts';
import type { CommandRequest } from '../context/request.ts';
import { apiParametersOf } from './api-parameters.ts';

/** The source of a result's documents. */
export interface ResultSource {
  /** Discards documents that were read ahead. */
  release(): void;
  /** True if the source is known to have no more documents. */
  readonly ended: boolean;
}

/** Default size of the first batch. */
export const FIRST_BATCH = 101;

/** Returns the documents of an iterator in batches. */
export class DocumentResults implements Results {
  readonly #documents: Iterator<RawDocument>;
  readonly #source: ResultSource | undefined;
  /** A document that was read but did not fit into the last batch. */
  #held: RawDocument | undefined;
  #remaining: number;
  #finished = false;

  /** `limit` is the maximum number of documents. */
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
      if (isSpent()) break;
    }
    this.#source?.release();
    return batch;
  }

  get keptBytes(): number {
    return this.#held?.length ?? 0;
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
    // A stage can build a document of any size, but a reply must not contain a document above the maximum size.
    if (value.length > MAX_INTERNAL_SIZE) throw tooLarge(value.length);
    return value;
  }
}

/** Returns the first batch, and opens a cursor if there are more documents. */
export function firstBatch(
  results: Results,
  { namespace, batchSize = FIRST_BATCH, single = false, noTimeout = false, awaitsData = false }: BatchOptions,
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
        apiParameters: apiParametersOf(request.body),
        noTimeout,
        awaitsData,
        returned: batch.length,
        results,
        ...(request.session === undefined ? {} : { session: request.session }),
      });
  const postBatchResumeToken = results.resumeToken;
  return { cursor: { firstBatch: batch, postBatchResumeToken, id, ns: namespace } };
}

export interface BatchOptions {
  readonly namespace: string;
  readonly batchSize?: number | undefined;
  /** True if only the first batch is returned, without a cursor. */
  readonly single?: boolean | undefined;
  /** True if the cursor does not time out. */
  readonly noTimeout?: boolean | undefined;
  /** True if getMore waits for new documents. */
  readonly awaitsData?: boolean | undefined;
}

/** Returns the owner of a cursor. The name is empty without authentication. */
export function ownerOf({ caller: { user } }: CommandRequest): string {
  return user === undefined ? '' : `${user.database}.${user.username}`;
}
