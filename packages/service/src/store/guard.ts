import { StoreError } from './errors.ts';

/**
 * Restricts a transaction to what both databases allow. No statement may run after the end of the transaction or after
 * a failed statement. A transaction with a failed statement must not be committed, even if the code has caught the
 * error.
 */
export class Guard {
  #closed = false;
  #failure: { readonly error: unknown } | undefined;

  /** Throws if no further statement may run in the transaction. */
  check(): void {
    if (this.#closed) throw new StoreError('closed', 'The transaction has ended');
    if (this.#failure) throw new StoreError('aborted', 'An earlier statement of the transaction has failed');
  }

  failed(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Returns the error of the first failed statement. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /**
   * Ends a transaction before its commit. Throws the error of a failed statement, even if the code has caught
   * it.
   */
  end(): void {
    this.close();
    if (this.#failure) throw this.#failure.error;
  }

  close(): void {
    this.#closed = true;
  }
}
