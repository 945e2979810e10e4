/** The log interface, which `pino` implements. Fields must be listed one by one, so that no secret is logged. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

export function silentLog(): Log {
  const none = () => {};
  const log: Log = { debug: none, info: none, warn: none, error: none, child: () => log };
  return log;
}
