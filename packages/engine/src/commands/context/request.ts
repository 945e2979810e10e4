import type { WireCaller } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { CommandMessage } from '../../message/command-message.ts';
import type { Reply } from '../../message/reply.ts';
import type { MemberTraffic } from '../../observe/member-traffic.ts';

/** A command's message with its connection's context. */
export interface CommandRequest extends CommandMessage {
  readonly caller: WireCaller;
  /** The session key: session id and owner. */
  readonly session?: string;
  /** Runs the statements of a retryable write exactly once. */
  readonly retries?: Retries;
  /** The transaction that the request belongs to. */
  readonly transaction?: { readonly number: bigint };
  /** Ends the transaction, for `commitTransaction` and `abortTransaction`. */
  readonly transactionEnd?: TransactionEnd;
  /** The await time is over: a waiting getMore returns an empty batch. */
  readonly awaitTimedOut?: boolean;
  /** Connection counters of the member, for commands that report them. */
  readonly traffic?: MemberTraffic;
  /** The UUID of the collection that it creates, from an oplog entry. */
  readonly uuid?: Uint8Array;
  /** Sent with an unacknowledged write concern. */
  readonly unacknowledged?: boolean;
}

/** Ends a transaction; returns the reply of the command. */
export interface TransactionEnd {
  /** Called within the store's write transaction. */
  commit(): Reply;
  abort(): Reply;
}

export interface Retries {
  /** Runs a statement of the command, or returns its stored outcome if it has run before. */
  once(index: number, run: () => StatementOutcome): StatementOutcome;
  /**
   * Runs `count` consecutive statements of one effect each in one call. Returns false, without any effect, if one of
   * them has run before or `run` returns false.
   */
  runBatch(index: number, count: number, run: () => boolean): boolean;
  /** Ids of the statements that had run before. */
  readonly retried: readonly number[];
}

/** The effect of a statement, as far as replies report it. */
export interface StatementOutcome {
  /** Documents inserted, matched or removed. */
  readonly n: number;
  readonly modified?: number;
  /** The `_id` of an upserted document. */
  readonly upserted?: Value;
  /** The whole reply, for commands that return more than counts. */
  readonly reply?: RawDocument;
}
