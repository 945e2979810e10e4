import autocannon from 'autocannon';
import type { RunningScript } from './support.ts';

/** The CPU time of the serving process per request, in microseconds. */
export interface Cost {
  readonly user: number;
  readonly system: number;
  /** The 99th percentile of the latency, in milliseconds. */
  readonly p99: number;
}

export interface MeasuredRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly status?: number;
  /** Credentials and body of a request, if they differ between requests. */
  readonly authorization?: () => string;
  readonly body?: () => string;
}

const CONNECTIONS = 32;
const SECONDS = 5;
const WARM_UP_SECONDS = 2;

/**
 * The cost of a request. All processes are measured at the same rate, since costs at different rates cannot be
 * compared: a saturated process sends several responses at once, and an idle one must wake up the load generator for
 * each response. The processes first run at full load, because code that is not compiled yet costs two thirds more: 141
 * µs in the first 7,500 requests, and 84 µs after 50,000.
 */
export async function cost(request: MeasuredRequest, by: RunningScript, perSecond: number): Promise<Cost> {
  await offer(request, SECONDS);
  await offer(request, WARM_UP_SECONDS, perSecond);
  return costOf(request, by, perSecond);
}

const COLD_WARM_UP_SECONDS = 3;

/** Measures the cost in a process that has just started and has served this request for three seconds. */
export async function coldCost(
  request: MeasuredRequest,
  by: RunningScript,
  perSecond: number,
): Promise<Cost> {
  await offer(request, COLD_WARM_UP_SECONDS, perSecond);
  return costOf(request, by, perSecond);
}

async function costOf(request: MeasuredRequest, by: RunningScript, perSecond: number): Promise<Cost> {
  const before = await by.usage();
  const result = await offer(request, SECONDS, perSecond);
  const after = await by.usage();
  const requests = result.requests.total;
  return {
    user: (after.user - before.user) / requests,
    system: (after.system - before.system) / requests,
    p99: result.latency.p99,
  };
}

/** Requests per second at full load. */
export async function saturation(request: MeasuredRequest): Promise<number> {
  return (await offer(request, SECONDS)).requests.average;
}

async function offer(
  request: MeasuredRequest,
  duration: number,
  overallRate?: number,
): Promise<autocannon.Result> {
  const { url, method = 'GET', headers = {}, status = 200, authorization, body } = request;
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
