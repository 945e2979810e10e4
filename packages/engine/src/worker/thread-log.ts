import type { MessagePort } from 'node:worker_threads';
import type { Log } from '@portolan/foundation/log';

/** A line that a thread writes to the host's log. */
export interface LogMessage {
  readonly kind: 'log';
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** Returns the log of a thread. Lines are sent over `port` to the host, which writes them to its file. */
export function threadLog(port: MessagePort, bound: object = {}): Log {
  const at = (level: LogMessage['level']) => (fields: object, message: string) => {
    const line: LogMessage = { kind: 'log', level, fields: { ...bound, ...readable(fields) }, message };
    port.postMessage(line);
  };
  return {
    debug: () => {},
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => threadLog(port, { ...bound, ...fields }),
  };
}

/** Converts errors to text, because an error has no enumerable fields and would be empty in JSON. */
function readable(fields: object): object {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Error ? (value.stack ?? value.message) : value]),
  );
}
