import { ServerError } from '../../errors/server-error.ts';

const MEGABYTE = 1024 * 1024;

/** Maximum bytes of the writes of one transaction. The reference server bounds them by a share of its cache. */
const MAX_TRANSACTION_BYTES = 128 * MEGABYTE;

/** Maximum bytes of the writes of all open transactions of a thread. */
const MAX_BYTES = 256 * MEGABYTE;

/** Bytes of the connection that an open transaction reads through, with its cached pages. */
const CONNECTION_BYTES = MEGABYTE / 4;

interface Limits {
  readonly transactionBytes?: number;
  readonly bytes?: number;
}

/** Bounds the memory of open transactions, whose writes stay in memory until they are committed. */
export class TransactionMemory {
  readonly #transactionBytes: number;
  readonly #bytes: number;
  #used = 0;

  constructor({ transactionBytes = MAX_TRANSACTION_BYTES, bytes = MAX_BYTES }: Limits = {}) {
    this.#transactionBytes = transactionBytes;
    this.#bytes = bytes;
  }

  /** Bytes of all open transactions. */
  get used(): number {
    return this.#used;
  }

  /** The share of a transaction that begins. Throws `WriteConflict` if the others leave no memory for it. */
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
  /** Throws `TransactionTooLargeForCache`, or `WriteConflict` if other transactions leave no memory for this one. */
  add(bytes: number): void;
  /** Can be called more than once. */
  release(): void;
}

/** Drivers do not repeat such a transaction, which would be too large again. */
function tooLarge(): ServerError {
  return new ServerError(
    'TransactionTooLargeForCache',
    'Transaction is too large and will not fit in the storage engine cache.',
  );
}

/** Drivers repeat the transaction, as the reference has them do when its cache is under pressure. */
function exhausted(): ServerError {
  return new ServerError(
    'WriteConflict',
    'Open transactions use all memory that is set aside for them. :: Please retry your operation or multi-document ' +
      'transaction.',
  );
}
