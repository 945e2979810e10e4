import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, MemberSample } from '@portolan/engine/interface/engine';
import { idleSample } from '@portolan/engine/interface/testing';
import type { ClusterModel } from '../../clusters/index.ts';
import { readNewCluster } from '../../clusters/testing.ts';
import { metrics } from '../catalogue/metrics.ts';
import type { ConfigurationRow } from '../configurations/rows.ts';
import type { AlertConfiguration } from '../configurations/schema.ts';
import { evaluateFor } from '../lifecycle/changes.ts';
import { findingsOf, type Observation } from './findings.ts';
import { hostMetricReaders } from './metric-readers.ts';
import { effectsOf } from './round.ts';

const now = new Date('2025-03-12T12:00:00Z');

function clusterOf(change: object, ids: readonly string[]): ClusterModel {
  const providerSettings = { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' } as const;
  const asked = readNewCluster({ name: 'harbour', providerSettings, ...change }, () => 'id');
  const members = ids.map((id, place) => ({ id, host: '127.0.0.1', port: 27_000 + place }));
  return {
    ...{ id: 'cluster', groupId: 'group', state: 'IDLE', created: now, paused: false, generation: 1 },
    ...{ accessRevision: 1, host: 'host', placement: { mark: 'abcdef', members } },
    ...asked,
  } as ClusterModel;
}

const NODES = ['shard-00-00', 'shard-00-01', 'shard-00-02'];
const replicaSet = clusterOf({}, NODES);

const runs = (change: Partial<Deployment> = {}): Deployment => ({
  ...{ id: 'cluster', state: 'running', members: [], accessRevision: 1, primaries: ['shard-00-00'] },
  ...change,
});

function configurationOf(eventType: string, document: Partial<AlertConfiguration> = {}): ConfigurationRow {
  return {
    ...{ id: eventType, groupId: 'group', created: now, updated: now, enabled: true, eventType },
    document: { matchers: [], ...document, notifications: [] },
    secrets: undefined,
    weight: 0,
  };
}

/** Returns the hosts, replica sets or clusters for which the condition of a configuration holds. */
function targetsOf(observation: Partial<Observation>, configuration: ConfigurationRow): unknown[] {
  const whole = {
    cluster: replicaSet,
    deployment: runs(),
    samples: new Map(),
    naming: { tls: false },
    now,
    ...observation,
  };
  return findingsOf(whole)
    .filter(({ eventType }) => eventType === configuration.eventType)
    .map((finding) => evaluateFor(configuration, finding))
    .filter((evaluation) => typeof evaluation === 'object')
    .map(
      ({ hostnameAndPort, replicaSetName, clusterName }) => hostnameAndPort ?? replicaSetName ?? clusterName,
    );
}

test('hosts that are stopped or have failed are down', () => {
  const down = configurationOf('HOST_DOWN');
  assert.deepEqual(targetsOf({}, down), []);
  assert.deepEqual(targetsOf({ deployment: runs({ stopped: ['shard-00-01'] }) }, down), ['127.0.0.1:27001']);
  assert.equal(targetsOf({ deployment: undefined }, down).length, 3);
  assert.equal(targetsOf({ deployment: runs({ state: 'failed' }) }, down).length, 3);
  const value = '127.0.0.1:27002';
  const matchers = [{ fieldName: 'HOSTNAME_AND_PORT', operator: 'EQUALS', value }] as const;
  assert.deepEqual(
    targetsOf({ deployment: undefined }, configurationOf('HOST_DOWN', { matchers: [...matchers] })),
    [value],
  );
});

test('finds a replica set without a primary, and one with too few members', () => {
  assert.deepEqual(targetsOf({}, configurationOf('NO_PRIMARY')), []);
  const oneLeft = runs({ primaries: [], stopped: ['shard-00-00', 'shard-00-01'] });
  const set = 'platform-abcdef-shard-0';
  assert.deepEqual(targetsOf({ deployment: oneLeft }, configurationOf('NO_PRIMARY')), [set]);
  const below = (threshold: number) => ({
    threshold: { operator: 'LESS_THAN', threshold, units: 'RAW' } as const,
  });
  assert.deepEqual(targetsOf({ deployment: oneLeft }, configurationOf('TOO_FEW_HEALTHY_MEMBERS', below(2))), [
    set,
  ]);
  assert.deepEqual(
    targetsOf({ deployment: oneLeft }, configurationOf('TOO_FEW_HEALTHY_MEMBERS', below(1))),
    [],
  );
  const above = { threshold: { operator: 'GREATER_THAN', threshold: 1, units: 'RAW' } as const };
  assert.deepEqual(targetsOf({ deployment: oneLeft }, configurationOf('TOO_MANY_UNHEALTHY_MEMBERS', above)), [
    set,
  ]);
});

test('only sharded clusters have routers, which are not members of a replica set', () => {
  const sharded = clusterOf({ clusterType: 'SHARDED', numShards: 1 }, ['router-00-00', ...NODES]);
  const missing = configurationOf('CLUSTER_MONGOS_IS_MISSING');
  assert.deepEqual(targetsOf({ deployment: undefined }, missing), []);
  assert.deepEqual(targetsOf({ cluster: sharded }, missing), []);
  const stopped = runs({ stopped: ['router-00-00'] });
  assert.deepEqual(targetsOf({ cluster: sharded, deployment: stopped }, missing), ['harbour']);
  assert.deepEqual(
    targetsOf(
      { cluster: sharded, deployment: stopped },
      configurationOf('TOO_MANY_UNHEALTHY_MEMBERS', {
        threshold: { operator: 'GREATER_THAN', threshold: 0, units: 'RAW' },
      }),
    ),
    [],
  );
});

const sampleAt = (seconds: number, change: Partial<MemberSample> = {}) =>
  idleSample(now.getTime() + seconds * 1000, change);

test('computes rates and percentages of the limits of the instance size, in the units of the threshold', () => {
  const before = sampleAt(-10, { examined: { keys: 0, documents: 100 } });
  const after = sampleAt(0, {
    examined: { keys: 0, documents: 5100 },
    documents: { returned: 2, inserted: 0, updated: 0, deleted: 0 },
    network: { bytesIn: 10 * 1024 ** 2 + 10, bytesOut: 0, requests: 0 },
    // The limit of an M30 is 3,000 connections per node.
    connections: { current: 2_401, totalCreated: 2_401 },
  });
  const samples = new Map([['shard-00-00', [before, after]]]);
  const found = (metricName: string, threshold: number, units = 'RAW') =>
    targetsOf(
      { samples },
      configurationOf('OUTSIDE_METRIC_THRESHOLD', {
        metricThreshold: { metricName, operator: 'GREATER_THAN', threshold, units, mode: 'AVERAGE' },
      }),
    ).length;
  assert.deepEqual([found('CONNECTIONS_PERCENT', 80), found('CONNECTIONS_PERCENT', 81)], [1, 0]);
  const targeting = 'QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED';
  assert.deepEqual([found(targeting, 2499), found(targeting, 2500)], [1, 0]);
  assert.deepEqual(
    [found('NETWORK_BYTES_IN', 1, 'MEGABYTES'), found('NETWORK_BYTES_IN', 1.1, 'MEGABYTES')],
    [1, 0],
  );
  assert.equal(found('MUNIN_CPU_NICE', -1), 0, 'a metric that the system does not report');
  assert.equal(found('CACHE_USAGE_USED', -1), 0, 'a metric that is not measured');
});

test('ratios cover a minute, so that an alert stays open during a moment without queries', () => {
  const scanned = (seconds: number, documents: number) =>
    sampleAt(seconds, { examined: { keys: 0, documents } });
  const metricThreshold = {
    ...({ metricName: 'QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED', mode: 'AVERAGE' } as const),
    ...({ operator: 'GREATER_THAN', threshold: 1000, units: 'RAW' } as const),
  };
  const found = (...samples: MemberSample[]) =>
    targetsOf(
      { samples: new Map([['shard-00-00', samples]]) },
      configurationOf('OUTSIDE_METRIC_THRESHOLD', { metricThreshold }),
    ).length;
  const scan = [scanned(-20, 0), scanned(-10, 5000)];
  assert.equal(found(...scan), 1);
  assert.equal(found(...scan, scanned(0, 5000)), 1);
  assert.equal(found(...scan, ...[0, 10, 20, 30, 40, 50].map((at) => scanned(at, 5000))), 0);
});

test('counts the elections of the last hour by replica set', () => {
  const above = { threshold: { operator: 'GREATER_THAN', threshold: 1, units: 'RAW' } as const };
  const many = configurationOf('TOO_MANY_ELECTIONS', above);
  const election = (minutes: number, memberId = 'shard-00-01') => ({
    memberId,
    time: now.getTime() - minutes * 60_000,
  });
  const found = (...elections: ReturnType<typeof election>[]) =>
    targetsOf({ deployment: runs({ elections }) }, many);
  assert.deepEqual(found(election(59), election(1)), ['platform-abcdef-shard-0']);
  assert.deepEqual(found(election(61), election(1)), []);
  assert.deepEqual(found(election(59, 'shard-01-00'), election(1)), []);
});

test('ignores the window of an oplog that has not dropped entries yet', () => {
  const below = { threshold: { operator: 'LESS_THAN', threshold: 1, units: 'HOURS' } as const };
  const window = configurationOf('REPLICATION_OPLOG_WINDOW_RUNNING_OUT', below);
  const found = (oplog: NonNullable<MemberSample['oplog']>) =>
    targetsOf({ samples: new Map([['shard-00-00', [sampleAt(0, { oplog })]]]) }, window);
  assert.deepEqual(found({ bytes: 1, window: 3599, whole: false }), ['platform-abcdef-shard-0']);
  assert.deepEqual(found({ bytes: 1, window: 3601, whole: false }), []);
  assert.deepEqual(found({ bytes: 1, window: 10, whole: true }), []);
  assert.deepEqual(
    found({ bytes: 1, window: 10 }),
    [],
    'a sample that does not say whether the oplog has dropped entries',
  );
});

test('reports index suggestions for the primary', () => {
  const suggests = configurationOf('HOST_HAS_INDEX_SUGGESTIONS');
  assert.deepEqual(targetsOf({ suggested: ['harbour.ships'] }, suggests), ['127.0.0.1:27000']);
  assert.deepEqual(targetsOf({ suggested: [] }, suggests), []);
  assert.deepEqual(targetsOf({}, suggests), []);
});

test('measures tenant clusters as a whole, with their own metric names', () => {
  const flex = clusterOf({}, NODES);
  const cluster = { ...flex, spec: { ...flex.spec, kind: 'flex', tenant: true } } as ClusterModel;
  const connections = (current: number) => [sampleAt(0, { connections: { current, totalCreated: current } })];
  const samples = new Map([
    ['shard-00-00', connections(60)],
    ['shard-00-01', connections(50)],
  ]);
  const found = (metricName: string, threshold: number, kind = 'FLEX') =>
    targetsOf(
      { cluster, samples },
      configurationOf(`OUTSIDE_${kind}_METRIC_THRESHOLD`, {
        metricThreshold: { metricName, operator: 'GREATER_THAN', threshold, units: 'RAW', mode: 'AVERAGE' },
      }),
    );
  assert.deepEqual([found('FLEX_CONNECTIONS', 109), found('FLEX_CONNECTIONS', 110)], [['harbour'], []]);
  assert.deepEqual(found('SERVERLESS_CONNECTIONS', 1, 'SERVERLESS'), []);
  assert.deepEqual(found('FLEX_OPCOUNTER_TOTAL', 1), [], 'a rate requires two samples');
});

test('reports a search process that has stopped or will soon stop replication, or ran out of memory', () => {
  const memory = { resident: 0, virtual: 0, heap: 0, most: 0 };
  const follows = { nodes: 0, processor: { user: 0, kernel: 0 }, memory, disk: 0, indexes: {} };
  const found = (search: MemberSample['search']) =>
    ['APPROACHING_STOP_REPLICATION', 'CRASHING_OOM', 'STOP_REPLICATION'].filter((state) => {
      const samples = new Map([['shard-00-01', [sampleAt(0, search && { search })]]]);
      return targetsOf({ samples }, configurationOf(`HOST_MONGOT_${state}`)).includes('127.0.0.1:27001');
    });
  assert.deepEqual(found(undefined), []);
  assert.deepEqual(found(follows), []);
  assert.deepEqual(found({ ...follows, stopsSoon: true }), ['APPROACHING_STOP_REPLICATION']);
  assert.deepEqual(found({ ...follows, stopped: 'the disk is full' }), ['STOP_REPLICATION']);
  assert.deepEqual(found({ ...follows, outOfMemory: true }), ['CRASHING_OOM']);
});

test('matchers of hosts test the name of the cluster and the type of the node', () => {
  const region = { electableNodes: 3, priority: 7, readOnlyNodes: 1, analyticsNodes: 1 };
  const cluster = clusterOf(
    {
      clusterType: 'REPLICASET',
      diskSizeGB: 40,
      replicationSpecs: [{ numShards: 1, regionsConfig: { US_EAST_1: region } }],
    },
    [...NODES, 'shard-00-03', 'shard-00-04', 'config-00'],
  );
  const found = (fieldName: string, value: string) =>
    targetsOf(
      { cluster, deployment: undefined },
      configurationOf('HOST_DOWN', { matchers: [{ fieldName, operator: 'EQUALS', value }] }),
    ).length;
  assert.deepEqual(
    ['ELECTABLE', 'READ_ONLY', 'ANALYTICS'].map((type) => found('PLATFORM_NODE_TYPE', type)),
    [3, 1, 1],
  );
  assert.deepEqual([found('CLUSTER_NAME', 'harbour'), found('CLUSTER_NAME', 'quay')], [6, 0]);
});

test('a round reports the findings that open or close an alert, and refreshes the others', async () => {
  const observation = { cluster: replicaSet, samples: new Map(), naming: { tls: false }, now };
  const configurations = [configurationOf('HOST_DOWN'), configurationOf('NO_PRIMARY')];
  const effects = async (deployment: Deployment, live: Parameters<typeof effectsOf>[1]['live'] = []) => {
    const findings = findingsOf({ ...observation, deployment });
    const { moving, refreshing } = await effectsOf(findings, { configurations, live }, now);
    return [moving, refreshing].map((all) => all.map(({ target }) => target.key));
  };
  const host = (node: number) => `host:cluster:shard-00-0${node}`;
  const subjectOf = (node: number) => {
    const found = findingsOf({ ...observation, deployment: runs() }).find(
      ({ eventType, target }) => eventType === 'HOST_DOWN' && target.key === host(node),
    );
    assert.ok(found);
    return found.target.subject;
  };
  const alert = (node: number, age: number, subject = subjectOf(node)) => ({
    ...{ id: 'alert', groupId: 'group', configurationId: 'HOST_DOWN', eventType: 'HOST_DOWN' },
    ...{ target: host(node), clusterId: 'cluster', status: 'OPEN' as const, created: now },
    ...{ updated: new Date(now.getTime() - age), lastNotified: undefined, resolved: undefined },
    document: { subject },
  });
  const down = runs({ stopped: ['shard-00-01', 'shard-00-02'] });
  assert.deepEqual(await effects(runs()), [[], []]);
  assert.deepEqual(await effects(down), [[host(1), host(2)], []], 'alerts open');
  assert.deepEqual(await effects(runs(), [alert(2, 1000)]), [[host(2)], []], 'an alert closes');
  assert.deepEqual(
    await effects(down, [alert(1, 10_000), alert(2, 20_000)]),
    [[], [host(2), host(1)]],
    'refreshes first what was refreshed longest ago',
  );
  assert.deepEqual(await effects(down, [alert(1, 0), alert(2, 0)]), [[], []], 'service time stands still');
  assert.deepEqual(await effects(down, [alert(1, 0, {}), alert(2, 0)]), [[], [host(1)]], 'another subject');
});

test('reads a number for every measured metric from two busy samples', () => {
  const use = { user: 1, nice: 1, kernel: 1, idle: 1, iowait: 1, irq: 1, softirq: 1, steal: 1, guest: 1 };
  const io = { reads: 1, writes: 1, bytesRead: 1, bytesWritten: 1, readMillis: 1, writeMillis: 1 };
  const busy = (times: number): Partial<MemberSample> => ({
    documents: { returned: times, inserted: times, updated: times, deleted: times },
    latency: {
      reads: { ops: times, micros: times },
      writes: { ops: times, micros: times },
      commands: { ops: times, micros: times },
    },
    oplog: { bytes: 1, window: 1 },
    lag: 1,
    search: {
      ...{ nodes: 1, processor: { user: times, kernel: times }, disk: 1 },
      memory: { resident: 1, virtual: 1, heap: 1, most: 1 },
      indexes: {
        words: {
          ...{ bytes: 1, documents: 1, fields: 1, lag: 1, inserts: times, updates: times, deletes: times },
          ...{ succeeded: times, failed: times, getMores: times },
        },
      },
    },
    machine: {
      processors: 2,
      processor: { ...use, idle: times },
      memory: { total: 2, free: 1, available: 1 },
      swap: { total: 2, free: 1, in: 0, out: 0 },
      network: { in: 0, out: 0 },
      pageFaults: 0,
      disk: { ...io, reads: times, writes: times, queueMillis: times },
    },
  });
  const [before, after] = [sampleAt(-10, busy(1)), sampleAt(0, busy(2))];
  const allowed = { connections: 100, diskBytes: 1000 };
  const unread = Object.entries(hostMetricReaders).filter(
    ([, read]) => !Number.isFinite(read([before, after], allowed)),
  );
  assert.deepEqual(
    unread.map(([name]) => name),
    [],
  );
  assert.deepEqual(
    Object.keys(hostMetricReaders).filter((name) => !metrics.host.has(name)),
    [],
  );
});
