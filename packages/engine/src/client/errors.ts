/** The engine host cannot be reached; the call may be repeated, since all calls may. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}

/** The host speaks another version of the control protocol: trying again does not help. */
export class ProtocolMismatch extends Error {
  override readonly name = 'ProtocolMismatch';
  /** The version that the host speaks. */
  readonly spoken: number;

  constructor(spoken: number, message: string) {
    super(message);
    this.spoken = spoken;
  }
}

/** The connection ended while a call was under way. */
export class ConnectionLost extends EngineUnavailable {}

/** The host is connected and has not answered within the limit of the call. */
export class CallTimedOut extends EngineUnavailable {}

/** The host has done the call and it failed. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
