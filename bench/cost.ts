import autocannon from 'autocannon';
import type { RunningScript } from './support.ts';

/** What one request costs the process that answers it, in microseconds of its processor time. */
export interface Cost {
  readonly user: number;
  readonly system: number;
  /** Milliseconds. */
  readonly p99: number;
}

export interface Asked {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly status?: number;
  /** Header and body of one request, where they differ from request to request. */
  readonly authorization?: () => string;
  readonly body?: () => string;
}

const CONNECTIONS = 32;
const SECONDS = 5;
const WARM_UP_SECONDS = 2;

/**
 * At a rate that is the same for all: a process that is never idle writes several answers at once, and a generator
 * that waits has to be woken, so that what saturates is not compared with what does not. What is not compiled yet costs
 * two thirds more (141 µs of the first 7,500 requests, 84 after 50,000), so that both are saturated before.
 */
export async function cost(asked: Asked, by: RunningScript, perSecond: number): Promise<Cost> {
  await offer(asked, SECONDS);
  await offer(asked, WARM_UP_SECONDS, perSecond);
  const before = await by.usage();
  const result = await offer(asked, SECONDS, perSecond);
  const after = await by.usage();
  const requests = result.requests.total;
  return {
    user: (after.user - before.user) / requests,
    system: (after.system - before.system) / requests,
    p99: result.latency.p99,
  };
}

/** Requests per second when as many are sent as are answered. */
export async function saturation(asked: Asked): Promise<number> {
  return (await offer(asked, SECONDS)).requests.average;
}

async function offer(asked: Asked, duration: number, overallRate?: number): Promise<autocannon.Result> {
  const { url, method = 'GET', headers = {}, status = 200, authorization, body } = asked;
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    headers: { ...request.headers, ...(authorization ? { authorization: authorization() } : {}) },
    ...(body ? { body: body() } : {}),
  });
  const result = await autocannon({
    url,
    method,
    headers,
    duration,
    connections: CONNECTIONS,
    ...(overallRate === undefined ? {} : { overallRate }),
    ...(authorization || body ? { requests: [{ setupRequest }] } : {}),
  });
  const other = Object.keys(result.statusCodeStats ?? {}).filter((code) => Number(code) !== status);
  if (other.length + result.errors + result.timeouts > 0) {
    throw new Error(`${url}: answered with ${other.join(', ')}, ${result.errors} failed`);
  }
  return result;
}
