import { ServerError } from './server-error.ts';

/**
 * A statement is to end, whatever it is at. Not a `ServerError`, so that nothing that forgives a failed part of a
 * statement forgives this.
 */
export class Interruption extends Error {
  readonly reason: ServerError;

  constructor(reason: ServerError) {
    super(reason.message);
    this.name = 'Interruption';
    this.reason = reason;
  }
}

/** A statement is taken back, and run again when there is more time for it. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
}

/** Thrown by a command when there is nothing yet: it is run again after the next commit, or in `ms`. */
export class WaitForCommit extends Error {
  override readonly name = 'WaitForCommit';
  readonly ms: number;
  /** Whether a commit is worth running it again for. */
  readonly changed: () => boolean;

  constructor(ms: number, changed = () => true) {
    super('there is nothing yet');
    this.ms = ms;
    this.changed = changed;
  }
}

/** Something that a statement needs is being prepared; it is run again, from the start, when that is there. */
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
  killed: () => new ServerError('Interrupted', 'operation was interrupted'),
  disconnected: () =>
    new ServerError('ClientDisconnect', 'operation was interrupted because a client disconnected'),
  cursorKilled: () =>
    new ServerError('CursorKilled', 'operation was interrupted because a client killed the cursor'),
  shutdown: () => new ServerError('InterruptedAtShutdown', 'operation was interrupted at shutdown'),
} as const;
