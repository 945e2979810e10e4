/** The open transactions of a cluster. */
export interface OpenTransactions {
  list(): readonly TransactionFacts[];
}

export interface TransactionFacts {
  /** The key of its session. */
  readonly session: string;
  readonly number: bigint;
  /** Milliseconds since it began. */
  readonly open: number;
  /** Milliseconds after which it is aborted. */
  readonly lifetime: number;
}
