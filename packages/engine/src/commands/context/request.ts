import type { WireCaller } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { CommandMessage } from '../../message/command-message.ts';
import type { Reply } from '../../message/reply.ts';
import type { MemberTraffic } from '../../observe/member-traffic.ts';

/** A command message with the context of its connection. */
export interface CommandRequest extends CommandMessage {
  readonly caller: WireCaller;
  /** The key of the session: its id and owner. */
  readonly session?: string;
  /** The results of earlier attempts of a retryable write. Each statement of such a write runs only once. */
  readonly retries?: Retries;
  /** The transaction that the request belongs to. */
  readonly transaction?: { readonly number: bigint; readonly readConcern: string };
  /** Ends the transaction. Only `commitTransaction` and `abortTransaction` use it. */
  readonly transactionEnd?: TransactionEnd;
  /**
   * True if the time to wait for data has passed. A `getMore` without new data then returns an empty batch.
   */
  readonly awaitTimedOut?: boolean;
  /** The connection counters of the member, for commands that report them. */
  readonly traffic?: MemberTraffic;
  /** The UUID of the collection that the command creates. Set if an oplog entry contains the command. */
  readonly uuid?: Uint8Array;
  /** True if the write concern is unacknowledged. */
  readonly unacknowledged?: boolean;
}

/** Ends a transaction. The methods return the reply of the command. */
export interface TransactionEnd {
  /** Commits the transaction. Must be called within a write transaction of the store. */
  commit(): Reply;
  abort(): Reply;
}

export interface Retries {
  /** Runs a statement of the command. If the statement ran in an earlier attempt, returns its stored result instead. */
  once(index: number, run: () => StatementOutcome): StatementOutcome;
  /**
   * Runs `count` consecutive statements in a single call. Each of them affects one document. If one of them
   * has run before, or if `run` returns false, changes nothing and returns false.
   */
  runBatch(index: number, count: number, run: () => boolean): boolean;
  /** The ids of statements that had already run in an earlier attempt. */
  readonly retried: readonly number[];
}

/** The effect of a statement, as replies report it. */
export interface StatementOutcome {
  /** Number of documents inserted, matched or removed. */
  readonly n: number;
  readonly modified?: number;
  /** The `_id` of an upserted document. */
  readonly upserted?: Value;
  /** The complete reply, for commands that return more than counts. */
  readonly reply?: RawDocument;
}
