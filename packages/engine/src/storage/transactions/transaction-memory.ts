import { ServerError } from '../../errors/server-error.ts';

const MEGABYTE = 1024 * 1024;

/** Maximum size of the writes of one transaction, in bytes. The server limits them to a share of its cache. */
const MAX_TRANSACTION_BYTES = 128 * MEGABYTE;

/** Maximum size of the writes of all open transactions of a thread, in bytes. */
const MAX_BYTES = 256 * MEGABYTE;

/** Size of the connection through which a transaction reads, with its cached pages, in bytes. */
const CONNECTION_BYTES = MEGABYTE / 4;

interface Limits {
  readonly transactionBytes?: number;
  readonly bytes?: number;
}

/** Limits the memory of open transactions, whose writes stay in memory until the commit. */
export class TransactionMemory {
  readonly #transactionBytes: number;
  readonly #bytes: number;
  #used = 0;

  constructor({ transactionBytes = MAX_TRANSACTION_BYTES, bytes = MAX_BYTES }: Limits = {}) {
    this.#transactionBytes = transactionBytes;
    this.#bytes = bytes;
  }

  /** Number of bytes that all open transactions use. */
  get used(): number {
    return this.#used;
  }

  /** Reserves memory for a new transaction. Throws `WriteConflict` if the other transactions leave too little. */
  open(): MemoryShare {
    this.#take(CONNECTION_BYTES);
    let [own, held] = [0, CONNECTION_BYTES];
    return {
      add: (bytes) => {
        if (own + bytes > this.#transactionBytes) throw tooLarge();
        this.#take(bytes);
        own += bytes;
        held += bytes;
      },
      release: () => {
        this.#used -= held;
        held = 0;
      },
    };
  }

  #take(bytes: number): void {
    if (this.#used + bytes > this.#bytes) throw exhausted();
    this.#used += bytes;
  }
}

/** The memory of one transaction. */
export interface MemoryShare {
  /**
   * Reserves memory. Throws `TransactionTooLargeForCache`, or `WriteConflict` if other transactions leave too little.
   */
  add(bytes: number): void;
  /** Releases all memory of the transaction. Repeated calls have no effect. */
  release(): void;
}

/** Creates an error that drivers do not retry, because the transaction would be too large again. */
function tooLarge(): ServerError {
  return new ServerError(
    'TransactionTooLargeForCache',
    'Transaction is too large and will not fit in the storage engine cache.',
  );
}

/** Creates an error that drivers retry, like the error of the server when its cache is full. */
function exhausted(): ServerError {
  return new ServerError(
    'WriteConflict',
    'Open transactions use all memory that is set aside for them. :: Please retry your operation or multi-document ' +
      'transaction.',
  );
}
