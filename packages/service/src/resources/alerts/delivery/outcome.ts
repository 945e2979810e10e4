/** The outcome of a delivery. `KEPT`: no channel is configured, so the notification is only in the inbox. */
export type Outcome = 'SENT' | 'FAILED' | 'KEPT';

/** A notification as sent, without secrets. */
export interface Delivery {
  readonly outcome: Outcome;
  readonly to: readonly string[];
  readonly subject: string;
  readonly body: string;
  /** Why the notification failed, or why it did not reach all recipients. */
  readonly problem?: string;
}
