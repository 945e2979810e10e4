import type { FailureReason } from './protocol.ts';

/** A call of the library failed. */
export class CompanionError extends Error {
  readonly reason: FailureReason | undefined;

  constructor(message: string, reason?: FailureReason) {
    super(message);
    this.name = 'CompanionError';
    this.reason = reason;
  }
}
