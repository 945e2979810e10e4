import type { RawDocument } from '../../bson/raw.ts';

/** Open cursors: results that clients have not read to the end. */
export interface Cursors {
  /** Stores the rest of a result; returns the cursor id. */
  open(cursor: OpenCursor): bigint;
  find(id: bigint): OpenCursor | undefined;
  /**
   * Runs `read`, which takes documents from a cursor, within the time limit left to the cursor; no other request can
   * read the cursor meanwhile.
   */
  reading(id: bigint, read: () => RawDocument[]): RawDocument[];
  /** Number of cursors closed by timeout. */
  readonly timedOut: number;
  /** All open cursors. */
  list(): ListedCursor[];
  /** False if there is no such cursor. Kills the request that is reading it. */
  close(id: bigint): boolean;
  /** Closes every cursor of a session. */
  closeSession(session: string): void;
}

export interface OpenCursor {
  readonly namespace: string;
  /** The user who opened the cursor, as `database.username`; empty without authentication. */
  readonly owner: string;
  readonly session?: string;
  /** The transaction in which the cursor was opened. */
  readonly transaction?: bigint;
  /** Never times out (`noCursorTimeout`). */
  readonly noTimeout: boolean;
  /** A tailable cursor: getMore waits for new data. */
  readonly awaitsData?: boolean;
  /** The number of documents in the first batch. */
  readonly returned: number;
  readonly results: Results;
}

/** An open cursor, as operations and statistics show it. */
export interface ListedCursor {
  readonly id: bigint;
  readonly cursor: OpenCursor;
  /** Milliseconds of machine time since the epoch. */
  readonly opened: number;
  readonly used: number;
  readonly batches: number;
  /** The number of documents returned so far. */
  readonly returned: number;
  /** The command that opened the cursor, unless it is too long to keep. */
  readonly command: RawDocument | undefined;
}

/** A result read in batches; between two batches it holds no documents except one that did not fit. */
export interface Results {
  /** The next documents: at most `limit` and 16 MiB together, but at least one if there is one. */
  take(limit: number): RawDocument[];
  /** True if the result is known to be exhausted. */
  readonly ended: boolean;
  /** Where to resume after the documents taken, for resumable results. */
  readonly resumeToken?: RawDocument;
  /** Whether there may be new documents; evaluated after each commit while a reader waits. True if unknown. */
  readonly changed?: boolean;
  /** The scan was interrupted before it found anything; it continues with the next batch. */
  readonly moreToScan?: boolean;
}
