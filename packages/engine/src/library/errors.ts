import type { FailureReason } from './protocol.ts';

/** A call to the companion failed. */
export class CompanionError extends Error {
  readonly reason: FailureReason | undefined;

  constructor(message: string, reason?: FailureReason) {
    super(message);
    this.name = 'CompanionError';
    this.reason = reason;
  }
}
