import type { Log } from '@portolan/foundation/log';
import type { Exchange } from '../exchange.ts';
import { labelOf } from '../exchange.ts';

/**
 * One line per request; a read that went well is told only where the log is set to tell everything, because callers
 * poll. Neither the query nor a header nor a body is written: any of them may hold a secret.
 */
export function logRequest(log: Log, exchange: Exchange, status: number, milliseconds: number): void {
  const isQuiet = status < 400 && (exchange.method === 'GET' || exchange.method === 'HEAD');
  const write = isQuiet ? log.debug : log.info;
  write.call(
    log,
    {
      requestId: exchange.id,
      method: exchange.method,
      path: exchange.path,
      operation: labelOf(exchange),
      status,
      milliseconds: Math.round(milliseconds * 100) / 100,
      caller: exchange.caller?.name,
      address: exchange.address,
    },
    'request',
  );
}
