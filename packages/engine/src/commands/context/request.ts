import type { WireCaller } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { CommandMessage } from '../../message/command-message.ts';
import type { Reply } from '../../message/reply.ts';
import type { MemberTraffic } from '../../observe/member-traffic.ts';

/** A command's message, and what is known of the way on which it came. */
export interface CommandRequest extends CommandMessage {
  readonly caller: WireCaller;
  /** Tells sessions apart: the id and whose it is. */
  readonly session?: string;
  /** Runs the statements of a numbered write, each once however often it is sent. */
  readonly retries?: Retries;
  /** The transaction that it is a statement of. */
  readonly transaction?: { readonly number: bigint };
  /** How the transaction ends, for the command that ends it. */
  readonly transactionEnd?: TransactionEnd;
  /** Time is up: what has waited for something to happen answers that nothing has. */
  readonly waitedLongEnough?: boolean;
  /** What the connection's thread knows of the member's connections, for commands that tell it. */
  readonly traffic?: MemberTraffic;
  /** The sender does not want to know what came of its writes. */
  readonly unacknowledged?: boolean;
}

/** Answers what the command that ends a transaction answers. */
export interface TransactionEnd {
  /** Inside the write transaction of the store. */
  commit(): Reply;
  abort(): Reply;
}

export interface Retries {
  /** Runs the statement at this place of the command, or answers what it did when it was run before. */
  once(index: number, run: () => StatementOutcome): StatementOutcome;
  /**
   * Runs so many statements that do one thing each, from a place of the command on, at once. False, with nothing done,
   * where one of them was run before or `run` answers so.
   */
  together(index: number, count: number, run: () => boolean): boolean;
  /** Ids of the statements that had been run before. */
  readonly retried: readonly number[];
}

/** What a statement did, as far as answers tell. */
export interface StatementOutcome {
  /** Documents inserted, matched or removed. */
  readonly n: number;
  readonly modified?: number;
  /** The `_id` of the document that an upsert made. */
  readonly upserted?: Value;
  /** The whole answer, for commands that answer more than counts. */
  readonly reply?: RawDocument;
}
