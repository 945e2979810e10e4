/** What the parts write their log to; `pino` fits it. Never hand it a secret: the fields are named one by one. */
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
