import type { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';

/** The open cursors of a cluster. Their clients have not yet read all documents of the results. */
export interface Cursors {
  /**
   * Stores the rest of a result and returns the id of the new cursor. Closes other cursors if they hold too much
   * memory. Throws `ExceededMemoryLimit` if the new cursor alone holds too much.
   */
  open(cursor: OpenCursor): bigint;
  find(id: bigint): OpenCursor | undefined;
  /** Returns the error for a cursor that does not exist. */
  missing(id: bigint): ServerError;
  /**
   * Runs `read`, which takes documents from a cursor. `read` is interrupted at the time limit of the cursor.
   * Meanwhile no other request can read the cursor.
   */
  reading(id: bigint, read: () => RawDocument[]): RawDocument[];
  /** Number of cursors that were closed by a timeout. */
  readonly timedOut: number;
  /** Returns all open cursors. */
  list(): ListedCursor[];
  /** Closes a cursor and kills the request that is reading it. Returns false if there is no such cursor. */
  close(id: bigint): boolean;
  /** Closes all cursors of a session. */
  closeSession(session: string): void;
}

export interface OpenCursor {
  readonly namespace: string;
  /** The user who opened the cursor, as `database.username`. Empty without authentication. */
  readonly owner: string;
  readonly session?: string;
  /** The number of the transaction in which the cursor was opened. */
  readonly transaction?: bigint;
  /** The API parameters of the command that opened the cursor, as a text. */
  readonly apiParameters: string;
  /** True if the cursor never times out (`noCursorTimeout`). */
  readonly noTimeout: boolean;
  /** True for a tailable cursor, on which getMore waits for new data. */
  readonly awaitsData?: boolean;
  /** Number of documents in the first batch. */
  readonly returned: number;
  readonly results: Results;
}

/** An open cursor in reports of operations and in statistics. */
export interface ListedCursor {
  readonly id: bigint;
  readonly cursor: OpenCursor;
  /** Machine time, in milliseconds since the epoch. */
  readonly opened: number;
  readonly used: number;
  readonly batches: number;
  /** Number of documents returned so far. */
  readonly returned: number;
  /** The command that opened the cursor. Undefined if the command was too long to store. */
  readonly command: RawDocument | undefined;
}

/**
 * A result that is read in batches. Between two batches, it keeps at most one document: one that did not fit into the
 * last batch.
 */
export interface Results {
  /**
   * Returns the next documents: at most `limit`, and at most 16 MiB in total. A single larger document is
   * returned alone.
   */
  take(limit: number): RawDocument[];
  /** True if the result is known to have no more documents. */
  readonly ended: boolean;
  /** The position after the returned documents. Only results that can be resumed have it. */
  readonly resumeToken?: RawDocument;
  /**
   * False if there are certainly no new documents. This is evaluated after each commit while a reader waits.
   */
  readonly changed?: boolean;
  /** Number of bytes of a document that did not fit into the last batch. */
  readonly keptBytes?: number;
  /** True if the scan stopped before it found a document. The scan continues with the next batch. */
  readonly moreToScan?: boolean;
}
