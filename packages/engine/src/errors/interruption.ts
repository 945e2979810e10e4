import { ServerError } from './server-error.ts';

/**
 * Thrown to end the running statement. It is not a `ServerError`, because some code catches such errors to continue
 * with the next part of a statement.
 */
export class Interruption extends Error {
  readonly reason: ServerError;

  constructor(reason: ServerError) {
    super(reason.message);
    this.name = 'Interruption';
    this.reason = reason;
  }
}

/** Thrown to roll back the running statement, which runs again later with a longer time slice. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
}

/**
 * Thrown by a command that has no result yet. The command runs again after the next commit or after `ms` milliseconds.
 */
export class WaitForCommit extends Error {
  override readonly name = 'WaitForCommit';
  readonly ms: number;
  /**
   * Called after each commit. Returns true if the commit may have produced the result for which the command waits. The
   * command then runs again.
   */
  readonly changed: () => boolean;

  constructor(ms: number, changed = () => true) {
    super('the operation has no result yet');
    this.ms = ms;
    this.changed = changed;
  }
}

/**
 * Thrown while a resource of the statement is being prepared. The statement runs again when the resource is ready.
 */
export class WaitForPreparation extends Error {
  override readonly name = 'WaitForPreparation';
  readonly prepared: Promise<void>;

  constructor(prepared: Promise<void>) {
    super('something is being prepared');
    this.prepared = prepared;
  }
}

export const interruptions = {
  timeLimit: () => new ServerError('MaxTimeMSExpired', 'operation exceeded time limit'),
  /** The transaction has exceeded its lifetime. The server's task for expired transactions reports the same error. */
  transactionExpired: () =>
    new ServerError('TransactionExceededLifetimeLimitSeconds', 'operation was interrupted'),
  killed: () => new ServerError('Interrupted', 'operation was interrupted'),
  disconnected: () =>
    new ServerError('ClientDisconnect', 'operation was interrupted because a client disconnected'),
  cursorKilled: () =>
    new ServerError('CursorKilled', 'operation was interrupted because a client killed the cursor'),
  shutdown: () => new ServerError('InterruptedAtShutdown', 'operation was interrupted at shutdown'),
} as const;
