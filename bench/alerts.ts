import type { Deployment } from '../packages/engine/src/interface/engine.ts';
import { idleSample } from '../packages/engine/src/interface/testing.ts';
import { nextDue } from '../packages/service/src/resources/alerts/lifecycle/notification-schedule.ts';
import { hook, open } from '../packages/service/src/resources/alerts/lifecycle/testing.ts';
import { findingsOf } from '../packages/service/src/resources/alerts/sources/findings.ts';
import { effectsOf } from '../packages/service/src/resources/alerts/sources/round.ts';
import { readNewCluster } from '../packages/service/src/resources/clusters/testing.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { milliseconds } from './support.ts';

const CONFIGURATIONS = 1000;
const CLUSTERS = 34;
const NODES = ['shard-00-00', 'shard-00-01', 'shard-00-02'];
const ALERTS = 10_000;
const ROUNDS = 15;
const MINUTE_MS = 60_000;

/** The duration of a round of evaluation, and how far repeated notifications deviate from their schedule. */
export const alerts: Part = {
  name: 'alerts',
  measure: async () => [await round(), drift(), ...(await repeats())],
};

type Observation = Parameters<typeof findingsOf>[0];
type Configuration = Parameters<typeof effectsOf>[1]['configurations'][number];

const now = new Date('2025-03-12T12:00:00Z');

function observationOf(number: number): Observation {
  const providerSettings = { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' } as const;
  const requestedCluster = readNewCluster({ name: `c${number}`, providerSettings }, () => 'id');
  const id = `cluster-${number}`;
  const members = NODES.map((node, place) => ({
    id: node,
    host: '127.0.0.1',
    port: 27_000 + number * 3 + place,
  }));
  const cluster = {
    ...{ id, groupId: 'group', state: 'IDLE', created: now, paused: false, generation: 1, accessRevision: 1 },
    ...{ host: 'host', placement: { mark: 'abcdef', members } },
    ...requestedCluster,
  } as Observation['cluster'];
  const deployment: Deployment = {
    id,
    state: 'running',
    members: [],
    accessRevision: 1,
    primaries: NODES.slice(0, 1),
  };
  const sample = (seconds: number) => idleSample(now.getTime() + seconds * 1000);
  const samples = new Map(NODES.map((node) => [node, [sample(-10), sample(0)]]));
  return { cluster, deployment, samples, naming: { tls: false }, now, suggested: [] };
}

const metrics = [
  'CONNECTIONS',
  'CONNECTIONS_PERCENT',
  'OPCOUNTER_QUERY',
  'NETWORK_BYTES_IN',
  'DISK_PARTITION_SPACE_USED_DATA',
];

/**
 * Returns a configuration. Every second configuration is about a metric, and half of all configurations select hosts.
 */
function configurationOf(number: number): Configuration {
  const metricName = metrics[number % metrics.length] ?? '';
  const matchers =
    number % 4 < 2
      ? []
      : [{ fieldName: 'HOSTNAME_AND_PORT', operator: 'REGEX', value: `:27.*${number % 10}$` } as const];
  const metricThreshold = {
    metricName,
    operator: 'GREATER_THAN',
    threshold: 1e12,
    units: 'RAW',
    mode: 'AVERAGE',
  } as const;
  return {
    ...{ id: `configuration-${number}`, groupId: 'group', created: now, updated: now, enabled: true },
    eventType: number % 2 === 0 ? 'OUTSIDE_METRIC_THRESHOLD' : 'HOST_DOWN',
    document: { matchers, metricThreshold, notifications: [] },
    secrets: undefined,
    weight: 0,
  };
}

/** Measures a round in which no alert opens or closes, like nearly all rounds. */
async function round(): Promise<Figure> {
  const observations = Array.from({ length: CLUSTERS }, (_, number) => observationOf(number));
  const configurations = Array.from({ length: CONFIGURATIONS }, (_, number) => configurationOf(number));
  const times: number[] = [];
  for (let done = 0; done < ROUNDS; done++) {
    const start = performance.now();
    const { moving } = await effectsOf(observations.flatMap(findingsOf), { configurations, live: [] }, now);
    if (moving.length > 0) throw new Error(`${moving.length} findings begin or end an alert`);
    times.push(milliseconds(start));
  }
  return {
    name: `check of ${CONFIGURATIONS.toLocaleString('en')} alert configurations for ${CLUSTERS * NODES.length} members`,
    value: median(times),
    unit: 'ms',
    target: atMost(200),
  };
}

const INTERVAL_MIN = 60;
const REPEATS = 3;
/** How many alerts begin in one minute. */
const BATCH = 1000;

/**
 * Measures open alerts that repeat their notifications, with real tasks and a store. Service time advances in steps
 * that pass the due times. Each step sends one notification per alert, and each next due time must stay on the original
 * schedule of its alert.
 */
async function repeats(): Promise<Figure[]> {
  const endings: Array<() => unknown> = [];
  try {
    const alerting = await open({ after: (run) => void endings.push(run) });
    const { told, configure, report, moveTo, drifts } = alerting;
    await configure([hook('a', 0, INTERVAL_MIN)]);
    const batches = ALERTS / BATCH;
    for (let batch = 0; batch < batches; batch++) {
      await moveTo(batch);
      await report(true, ...Array.from({ length: BATCH }, (_, n) => `host-${batch}-${n}`));
    }
    await moveTo(batches);
    const rounds: number[] = [];
    let furthest = 0;
    for (let repeat = 1; repeat <= REPEATS; repeat++) {
      const start = performance.now();
      await moveTo(repeat * INTERVAL_MIN + batches + repeat * 7);
      rounds.push(milliseconds(start));
      if (told.length !== ALERTS * (repeat + 1))
        throw new Error(`${told.length} notifications in place of ${ALERTS * (repeat + 1)}`);
      const waiting = await drifts(INTERVAL_MIN);
      if (waiting.length !== ALERTS) throw new Error(`${waiting.length} alerts wait for their repeat`);
      furthest = waiting.reduce((most, drift) => Math.max(most, Math.abs(drift)), furthest);
    }
    const many = ALERTS.toLocaleString('en');
    return [
      {
        name: `repeat the notifications of ${many} open alerts once`,
        value: median(rounds) / 1000,
        unit: 's',
      },
      {
        name: `drift of the notifications of ${many} open alerts after ${REPEATS} repetitions`,
        value: furthest,
        unit: 'ms',
        target: atMost(0),
      },
    ];
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

/**
 * Computes the drift of a month of repeated notifications. Each notification is sent up to a minute late, and the
 * alerts open at different times.
 */
function drift(): Figure {
  let furthest = 0;
  for (let alert = 0; alert < ALERTS; alert++) {
    const created = now.getTime() + alert * 37;
    const intervalMin = 5 + (alert % 120);
    const end = created + 30 * 24 * 60 * MINUTE_MS;
    for (let due: Date | undefined = new Date(created), late = 0; due && due.getTime() < end; late += 7919) {
      const step = (due.getTime() - created) % (intervalMin * MINUTE_MS);
      furthest = Math.max(furthest, step);
      due = nextDue(due, { delayMin: 0, intervalMin }, new Date(due.getTime() + (late % MINUTE_MS)));
    }
  }
  return {
    name: `drift of the notifications of ${ALERTS.toLocaleString('en')} open alerts over a month`,
    value: furthest,
    unit: 'ms',
    target: atMost(0),
  };
}
