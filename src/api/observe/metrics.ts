import type { Histogram, Registry } from 'prom-client';

/** One request that has been answered. */
export interface Observation {
  /** The operation's id; `none` where no path fits. */
  readonly operation: string;
  readonly status: number;
  readonly seconds: number;
}

/** Rates and latencies by operation and status. */
export interface Metrics {
  observe(observation: Observation): void;
  /** In the text format of Prometheus. */
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Instruments {
  readonly registry: Registry;
  /** Its count is the number of requests. */
  readonly latency: Histogram<'operation' | 'status'>;
}

/** The library is loaded with the first observation, because loading it is a tenth of the time to start. */
export function metrics(): Metrics {
  const early: Observation[] = [];
  let loading: Promise<Instruments> | undefined;
  let loaded: Instruments | undefined;

  function load(): Promise<Instruments> {
    loading ??= instruments().then((made) => {
      loaded = made;
      for (const observation of early.splice(0)) record(made, observation);
      return made;
    });
    return loading;
  }

  return {
    observe(observation) {
      if (loaded) return record(loaded, observation);
      early.push(observation);
      void load();
    },
    async text() {
      const { registry } = await load();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

function record({ latency }: Instruments, { operation, status, seconds }: Observation): void {
  latency.observe({ operation, status }, seconds);
}

async function instruments(): Promise<Instruments> {
  const { Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const latency = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return { registry, latency };
}
