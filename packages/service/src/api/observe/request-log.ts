import type { Log } from '@portolan/foundation/log';
import type { Exchange } from '../exchange.ts';
import { labelOf } from '../exchange.ts';

/**
 * Logs one line per request. Successful reads are logged at the level debug, since clients poll. Never logs the query,
 * the headers or the body, because each of them may contain a secret.
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
