import { accessFaults, type Caller, networkOf, type Scope } from '../../access/index.ts';
import type { Edge } from '../edge.ts';
import type { Exchange } from '../exchange.ts';
import { RATE_LIMIT, windowAt } from '../rates/rates.ts';

const MINUTES = 1;

/**
 * Limits the requests of all callers together, per project and minute (docs/contract/api.md 8). If the path names no
 * project or organization, limits the requests of each caller. Throws 429 `RATE_LIMITED`.
 */
export async function limitRate(
  edge: Edge,
  exchange: Exchange,
  by: { caller: Caller | undefined; scope: Scope | undefined },
): Promise<void> {
  const { machine, store } = edge.services;
  // Instances that share a store use the time of day, so that they agree on windows. A single instance uses monotonic
  // time, which cannot be set back.
  const time = store.capabilities.shared ? machine.now() : machine.monotonic();
  const { window, secondsLeft } = windowAt(time);
  const key = by.scope
    ? `${by.scope.kind}:${by.scope.id}`
    : `caller:${by.caller?.id ?? networkOf(exchange.address)}`;
  const remaining = await edge.rates.take(key, window, RATE_LIMIT);
  exchange.headers['ratelimit-limit'] = String(RATE_LIMIT);
  exchange.headers['ratelimit-remaining'] = String(Math.max(0, remaining));
  if (remaining >= 0) return;
  throw accessFaults
    .RATE_LIMITED(exchange.path, RATE_LIMIT, MINUTES)
    .with({ headers: { 'Retry-After': String(secondsLeft) } });
}
