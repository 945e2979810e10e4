/** The engine host is unavailable. Callers may repeat any call. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}

/** The host uses another version of the control protocol. A retry would fail in the same way. */
export class ProtocolMismatch extends Error {
  override readonly name = 'ProtocolMismatch';
  /** The protocol version of the host. */
  readonly spoken: number;

  constructor(spoken: number, message: string) {
    super(message);
    this.spoken = spoken;
  }
}

/** The connection was lost during a call. */
export class ConnectionLost extends EngineUnavailable {}

/** The connected host did not reply within the time limit of the call. */
export class CallTimedOut extends EngineUnavailable {}

/** The host reported that the call failed. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
