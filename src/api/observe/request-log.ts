import type { Log } from '../../runtime/log.ts';
import type { Exchange } from '../exchange.ts';
import { labelOf } from '../exchange.ts';

/**
 * One line per request. Neither the query nor a header nor a body is written: any of them may hold a secret.
 */
export function logRequest(log: Log, exchange: Exchange, status: number, milliseconds: number): void {
  log.info(
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
