/** The open transactions of a cluster. */
export interface OpenTransactions {
  list(): readonly TransactionFacts[];
}

export interface TransactionFacts {
  /** The key of the session. */
  readonly session: string;
  readonly number: bigint;
  /** Milliseconds since the transaction began. */
  readonly open: number;
  /** Milliseconds after which the transaction is aborted. */
  readonly lifetime: number;
}
