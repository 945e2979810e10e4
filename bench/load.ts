import autocannon from 'autocannon';

export interface Load {
  readonly perSecond: number;
  /** The 99th percentile of the latency, in milliseconds. */
  readonly p99: number;
}

export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: () => string;
  /** Returns the headers of a request, if they differ between requests. */
  readonly each?: () => Record<string, string>;
}

const CONNECTIONS = 32;
const SECONDS = 6;
const WARM_UP_SECONDS = 2;

/** Requests per second on 32 keep-alive connections, after a warm-up. Throws if a request fails. */
export async function load(target: Target): Promise<Load> {
  await run(target, WARM_UP_SECONDS);
  const result = await run(target, SECONDS);
  if (result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(`${target.url}: ${result.non2xx} refused, ${result.errors} failed`);
  }
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

function run(target: Target, duration: number): Promise<autocannon.Result> {
  const { url, method = 'GET', headers = {}, body, each } = target;
  return autocannon({
    url,
    method,
    headers,
    duration,
    connections: CONNECTIONS,
    ...(body || each
      ? {
          requests: [
            {
              setupRequest: (request: autocannon.Request) => ({
                ...request,
                headers: { ...request.headers, ...each?.() },
                ...(body ? { body: body() } : {}),
              }),
            },
          ],
        }
      : {}),
  });
}
