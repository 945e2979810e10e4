import type { FailureReason } from './protocol.ts';

/** What was asked for could not be done. */
export class CompanionError extends Error {
  readonly reason: FailureReason | undefined;

  constructor(message: string, reason?: FailureReason) {
    super(message);
    this.name = 'CompanionError';
    this.reason = reason;
  }
}
