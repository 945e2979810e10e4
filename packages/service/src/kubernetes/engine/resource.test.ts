import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podsOf } from './names.ts';
import { resourceOf } from './resource.ts';
import { testSettings, wantedCluster } from './testing.ts';
import type { ResourceSettings, WantedCluster, WantedRegion } from './wanted.ts';

type Path = readonly (string | number)[];

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (one, key) => (one as Record<string | number, unknown> | undefined)?.[key],
    value,
  );
}

const region = (name: string, electable = 3, readOnly = 0, analytics = 0): WantedRegion => ({
  ...{ name, electable, readOnly, analytics },
});
const size = { processors: 2, memoryGB: 8 };
const shard = (...regions: readonly WantedRegion[]) => ({ regions, size, analyticsSize: size });
const share = (cpu: string, memory: string) => ({ limits: { cpu, memory }, requests: { cpu, memory } });
const first: Path = ['spec', 'replsets', 0];

interface Row {
  readonly what: string;
  readonly change?: Partial<WantedCluster>;
  readonly settings?: Partial<ResourceSettings>;
  readonly path: Path;
  readonly expected: unknown;
}

const rows: readonly Row[] = [
  {
    what: 'the name has a mark, and the namespace the id of the project',
    path: ['metadata'],
    expected: {
      name: 'harbour-a1b2c3',
      namespace: 'portolan-6b09fcbcd8f3f01d21dbe25c',
      labels: {
        'app.kubernetes.io/managed-by': 'portolan',
        'portolan/cluster': '6b09fcbcd8f3f01d21dbe25d',
      },
      annotations: { 'portolan/name': 'Harbour' },
      finalizers: ['percona.com/delete-psmdb-pods-in-order'],
    },
  },
  {
    what: 'a long name is cut, also after a hyphen',
    change: { name: 'Harbour-Of-The-Northern-Isles' },
    path: ['metadata', 'name'],
    expected: 'harbour-of-the-northern-a1b2c3',
  },
  {
    what: 'a name begins with a letter',
    change: { name: '7seas' },
    path: ['metadata', 'name'],
    expected: 'c7seas-a1b2c3',
  },
  { what: 'electable nodes', path: [...first, 'size'], expected: 3 },
  { what: 'size', path: [...first, 'resources'], expected: share('2', '8192Mi') },
  {
    what: 'a size with a fraction of a gigabyte',
    change: { shards: [{ ...shard(region('eu-west-1')), size: { processors: 1, memoryGB: 1.7 } }] },
    path: [...first, 'resources'],
    expected: share('1', '1740Mi'),
  },
  {
    what: 'disk',
    path: [...first, 'volumeSpec'],
    expected: { persistentVolumeClaim: { resources: { requests: { storage: '40Gi' } } } },
  },
  {
    what: 'storage class',
    settings: { storageClass: 'fast' },
    path: [...first, 'volumeSpec', 'persistentVolumeClaim', 'storageClassName'],
    expected: 'fast',
  },
  { what: 'growing volumes', path: ['spec', 'enableVolumeExpansion'], expected: true },
  {
    what: 'one region',
    path: [...first, 'nodeSelector'],
    expected: { 'topology.kubernetes.io/region': 'eu-west-1' },
  },
  {
    what: 'zones',
    path: [...first, 'topologySpreadConstraints'],
    expected: [
      {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: {
          matchLabels: {
            'app.kubernetes.io/component': 'mongod',
            'app.kubernetes.io/instance': 'harbour-a1b2c3',
            'app.kubernetes.io/replset': 'rs0',
          },
        },
      },
    ],
  },
  {
    what: 'nodes without labels of regions',
    settings: { anyNode: true },
    path: [...first, 'nodeSelector'],
    expected: undefined,
  },
  {
    what: 'several regions',
    change: { shards: [shard(region('eu-west-1', 1), region('eu-west-2', 1), region('us-east-1', 1))] },
    path: [...first, 'affinity', 'advanced', 'nodeAffinity'],
    expected: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              {
                key: 'topology.kubernetes.io/region',
                operator: 'In',
                values: ['eu-west-1', 'eu-west-2', 'us-east-1'],
              },
            ],
          },
        ],
      },
    },
  },
  {
    what: 'the preferred region of several',
    change: { shards: [shard(region('eu-west-1', 1), region('eu-west-2', 1), region('us-east-1', 1))] },
    path: [...first, 'primaryPreferTagSelector'],
    expected: { region: 'eu-west-1' },
  },
  { what: 'no read-only nodes', path: [...first, 'nonvoting'], expected: undefined },
  {
    what: 'read-only nodes do not vote',
    change: { shards: [shard(region('eu-west-1', 3, 2))] },
    path: [...first, 'nonvoting', 'size'],
    expected: 2,
  },
  {
    what: 'a region with read-only nodes alone',
    change: { shards: [shard(region('eu-west-1'), region('us-east-1', 0, 1))] },
    path: [...first, 'nonvoting', 'nodeSelector'],
    expected: { 'topology.kubernetes.io/region': 'us-east-1' },
  },
  {
    what: 'analytics nodes are hidden and have their own size',
    change: {
      shards: [{ ...shard(region('eu-west-1', 3, 0, 1)), analyticsSize: { processors: 4, memoryGB: 16 } }],
    },
    path: [...first, 'hidden', 'resources'],
    expected: share('4', '16384Mi'),
  },
  { what: 'no shards', path: ['spec', 'sharding'], expected: { enabled: false } },
  { what: 'running', path: ['spec', 'pause'], expected: false },
  { what: 'paused', change: { paused: true }, path: ['spec', 'pause'], expected: true },
  { what: 'TLS', path: ['spec', 'tls'], expected: { mode: 'requireTLS' } },
  { what: 'image', path: ['spec', 'image'], expected: 'percona/percona-server-mongodb:8.0.19-7' },
  {
    what: 'version',
    change: { majorVersion: '7.0' },
    path: ['spec', 'image'],
    expected: 'percona/percona-server-mongodb:7.0.30-16',
  },
  {
    what: 'upgrades change the feature compatibility version',
    path: ['spec', 'upgradeOptions'],
    expected: { apply: 'disabled', setFCV: true },
  },
  {
    what: 'a pinned feature compatibility version',
    change: { isPinned: true },
    path: ['spec', 'upgradeOptions', 'setFCV'],
    expected: false,
  },
  { what: 'no configuration', path: [...first, 'configuration'], expected: undefined },
  {
    what: 'process arguments',
    change: {
      arguments: { noTableScan: true, javascriptEnabled: false },
      minimumTlsProtocol: 'TLS1_2',
      redactsLogs: true,
    },
    path: [...first, 'configuration'],
    expected:
      'security:\n  javascriptEnabled: false\n  redactClientLogData: true\nsetParameter:\n  notablescan: true\nnet:\n  tls:\n    disabledProtocols: TLS1_0,TLS1_1\n',
  },
  { what: 'not exposed', path: [...first, 'expose'], expected: undefined },
  {
    what: 'exposed',
    settings: { expose: 'LoadBalancer' },
    path: [...first, 'expose'],
    expected: { enabled: true, type: 'LoadBalancer' },
  },
  {
    what: 'exposed members know each other by their external addresses',
    settings: { expose: 'LoadBalancer' },
    path: ['spec', 'clusterServiceDNSMode'],
    expected: 'External',
  },
];

for (const { what, change, settings, path, expected } of rows) {
  test(`a resource maps: ${what}`, () => {
    const resource = resourceOf({ ...wantedCluster, ...change }, { ...testSettings, ...settings });
    assert.deepEqual(at(resource, path), expected);
  });
}

const sharded = { isSharded: true, shards: [shard(region('eu-west-1')), shard(region('eu-west-1'))] };

test('a sharded cluster has config servers, and a router for each node', () => {
  const { spec } = resourceOf({ ...wantedCluster, ...sharded }, testSettings);
  assert.deepEqual(
    (spec.replsets as readonly { name: string }[]).map(({ name }) => name),
    ['rs0', 'rs1'],
  );
  const get = (...path: Path) => at(spec.sharding, path);
  assert.deepEqual([get('enabled'), get('configsvrReplSet', 'size'), get('mongos', 'size')], [true, 3, 6]);
  assert.deepEqual(get('mongos', 'expose'), { servicePerPod: true, type: 'ClusterIP' });
});

test('shards have individual sizes', () => {
  const [one, other] = sharded.shards;
  assert.ok(one && other);
  const shards = [one, { ...other, size: { processors: 4, memoryGB: 16 } }];
  const { spec } = resourceOf({ ...wantedCluster, isSharded: true, shards }, testSettings);
  const cpu = [0, 1].map((index) => at(spec.replsets, [index, 'resources', 'limits', 'cpu']));
  assert.deepEqual(cpu, ['2', '4']);
});

test('routers get only the options that they know', () => {
  const wanted = { ...wantedCluster, ...sharded, arguments: { noTableScan: true, javascriptEnabled: false } };
  const { spec } = resourceOf(wanted, testSettings);
  assert.equal(at(spec.sharding, ['mongos', 'configuration']), 'security:\n  javascriptEnabled: false\n');
});

test('a version without an image is an error', () => {
  assert.throws(
    () => resourceOf({ ...wantedCluster, majorVersion: '5.0' }, testSettings),
    /no image is configured for version 5\.0/,
  );
});

test('pods have the ids of members: electable, read-only and analytics nodes, then routers', () => {
  const wanted = { ...wantedCluster, isSharded: true, shards: [shard(region('eu-west-1', 1, 1, 1))] };
  assert.deepEqual(
    podsOf('harbour-a1b2c3', wanted).map(({ memberId, pod }) => [memberId, pod]),
    [
      ['shard-00-00', 'harbour-a1b2c3-rs0-0'],
      ['shard-00-01', 'harbour-a1b2c3-rs0-nv-0'],
      ['shard-00-02', 'harbour-a1b2c3-rs0-hidden-0'],
      ['router-00-00', 'harbour-a1b2c3-mongos-0'],
      ['router-00-01', 'harbour-a1b2c3-mongos-1'],
      ['router-00-02', 'harbour-a1b2c3-mongos-2'],
    ],
  );
});
