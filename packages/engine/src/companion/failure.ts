import type { FailureReason } from '../library/protocol.ts';

/** A call failed for a reason that the caller can handle. */
export class CallFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
