/**
 * The outcome of a delivery. `KEPT` means that no channel is configured, so that only the inbox contains the
 * notification.
 */
export type Outcome = 'SENT' | 'FAILED' | 'KEPT';

/** A notification that was sent, without secrets. */
export interface Delivery {
  readonly outcome: Outcome;
  readonly to: readonly string[];
  readonly subject: string;
  readonly body: string;
  /** Why the notification failed, or why it did not reach all recipients. */
  readonly problem?: string;
  /** Whether the notification failed because the receiver does not accept its secret. */
  readonly isRejected?: boolean;
  /** Whether the notification failed and would fail again. */
  readonly isPermanent?: boolean;
}
