import { StoreError } from './errors.ts';

/**
 * Keeps a transaction to what both databases allow, so that a mistake shows in each of them: no statement after its
 * end, none after one has failed, and no commit when a failure was passed over in silence.
 */
export class Guard {
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  /** Throws where no statement may run. */
  check(): void {
    if (this.#closed) throw new StoreError('closed', 'The transaction has ended');
    if (this.#failure) throw new StoreError('aborted', 'An earlier statement of the transaction has failed');
  }

  failed(error: unknown): void {
    this.#failure ??= { error };
  }

  /** What the first statement that failed has thrown. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /** Ends a transaction that wants to be committed. */
  end(): void {
    this.close();
    if (this.#failure) throw this.#failure.error;
  }

  close(): void {
    this.#closed = true;
  }
}
