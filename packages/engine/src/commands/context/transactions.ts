import type { WireCaller } from '../../access/caller.ts';

/** The open transactions of a cluster. */
export interface OpenTransactions {
  list(): readonly TransactionFacts[];
}

export interface TransactionFacts {
  /** The key of the session. */
  readonly session: string;
  readonly number: bigint;
  /** The connection that sent the last statement. */
  readonly caller: WireCaller;
  /** Milliseconds since the transaction began. */
  readonly open: number;
  /** Milliseconds after which the transaction is aborted. */
  readonly lifetime: number;
}
