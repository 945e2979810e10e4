import type { RawDocument } from '../../bson/raw.ts';

/** Results that callers have not read to the end yet. */
export interface Cursors {
  /** Keeps the rest of a result; answers its id. */
  open(cursor: OpenCursor): bigint;
  find(id: bigint): OpenCursor | undefined;
  /**
   * Runs `read`, which takes more from a cursor, with the time that its caller has left for it; nobody else may read
   * it meanwhile.
   */
  reading<T>(id: bigint, read: () => T): T;
  /** How many were closed because nobody has asked for more. */
  readonly timedOut: number;
  /** All that are open and not being read. */
  idle(): IdleCursor[];
  /** False when there is no such cursor. The request that reads it is killed. */
  close(id: bigint): boolean;
  /** Closes every cursor of a session. */
  closeSession(session: string): void;
}

export interface OpenCursor {
  readonly namespace: string;
  /** Who opened it, as `database.username`; empty when nobody was logged in. */
  readonly owner: string;
  readonly session?: string;
  /** The number of the transaction in which it was opened. */
  readonly transaction?: bigint;
  /** Lives until it is read to the end or killed, however long nobody asks for it. */
  readonly lasting: boolean;
  /** More may come at any time: whoever asks for more waits for it. */
  readonly awaits?: boolean;
  readonly results: Results;
}

/** A cursor that waits to be asked for more. */
export interface IdleCursor {
  readonly id: bigint;
  readonly cursor: OpenCursor;
  /** Milliseconds of machine time since the epoch. */
  readonly opened: number;
  readonly used: number;
  readonly batches: number;
  /** The command that has opened it, unless it is long. */
  readonly command: RawDocument | undefined;
}

/** A result that is read in batches; between two of them it holds no documents but the one that did not fit. */
export interface Results {
  /** The next documents, `limit` at most and 16 MiB together, but one at least when there is one. */
  take(limit: number): RawDocument[];
  /** True when it is known that nothing follows. */
  readonly ended: boolean;
  /** Where to go on behind what was taken, for results that can be resumed. */
  readonly resumeToken?: RawDocument;
  /** There may be something to take; asked after each commit while somebody waits. True where it is not known. */
  readonly changed?: boolean;
  /** There is more to look through although nothing was found yet. */
  readonly behind?: boolean;
}
