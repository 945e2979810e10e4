import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Survey } from '../protocol.ts';
import type { MigrationSpec } from '../request.ts';
import { findObstacle, type Target } from './obstacles.ts';

const source: Survey = {
  version: '8.0.4',
  featureCompatibilityVersion: '8.0',
  sharded: false,
  members: ['rs0/db1:27017', 'rs0/db2:27017'],
  bytes: 5_000_000,
  namespaces: ['harbour.ships'],
};
const target: Target = {
  sharded: false,
  members: ['platform-shard-0/db1:27017', 'rs0/db3:27017'],
  version: '8.0',
  disk: 10_000_000,
  used: 1_000_000,
  namespaces: ['inn.guests'],
};
const spec: MigrationSpec = {
  hostnameSchemaType: 'PUBLIC',
  sourceGroupId: '0123456789abcdef01234567',
  sourceName: 'old',
  ssl: false,
  drop: false,
};
const entry = (collection: string) => ({ database: 'harbour', collection, key: { port: 1 } });
const sharding = (...names: string[]) => ({
  createSupportingIndexes: true,
  shardingEntries: names.map(entry),
});

interface Change {
  readonly source?: Partial<Survey>;
  readonly target?: Partial<Target>;
  readonly spec?: Partial<MigrationSpec>;
}

function judged(change: Change): string | undefined {
  return findObstacle(
    { ...source, ...change.source },
    { ...target, ...change.target },
    { ...spec, ...change.spec },
  );
}

test('finds no obstacle for a compatible source and destination', () => {
  const possible: readonly Change[] = [
    {},
    { source: { featureCompatibilityVersion: '7.0' }, target: { version: '7.0' } },
    { source: { sharded: true }, target: { sharded: true } },
    { target: { sharded: true }, spec: { sharding: sharding('ships') } },
    { target: { sharded: true }, spec: { sharding: sharding() } },
    { source: { oplogHours: 1 } },
    { target: { namespaces: ['harbour.ships'], used: 9_000_000 }, spec: { drop: true } },
  ];
  for (const change of possible) assert.equal(judged(change), undefined, JSON.stringify(change));
});

test('names each obstacle', () => {
  const impossible: readonly (readonly [Change, RegExp])[] = [
    [{ target: { members: ['rs0/db2:27017'] }, spec: { drop: true } }, /are the same deployment/],
    [{ target: { sharded: true, members: ['rs1/db4:27017', 'rs0/db1:27017'] } }, /are the same deployment/],
    [{ source: { featureCompatibilityVersion: '5.0', version: '5.0.3' } }, /runs version 5\.0\.3/],
    [
      { source: { featureCompatibilityVersion: '7.0' } },
      /version 7\.0, which is not compatible with version 8\.0/,
    ],
    [
      { source: { featureCompatibilityVersion: '8.2' } },
      /version 8\.2, which is not compatible with version 8\.0.* \{setFeatureCompatibilityVersion: "8\.0", confirm: true\} on its admin database/,
    ],
    [{ source: { sharded: true } }, /The source is sharded/],
    [{ target: { sharded: true } }, /`sharding` is required/],
    [{ spec: { sharding: sharding('ships') } }, /`sharding` is allowed only for/],
    [{ target: { sharded: true }, spec: { sharding: sharding('boats') } }, /no collection harbour\.boats/],
    [
      { target: { sharded: true }, spec: { sharding: sharding('ships', 'ships') } },
      /names the collection harbour\.ships twice/,
    ],
    [{ target: { namespaces: ['harbour.Ships'] } }, /collection harbour\.ships of the source exists/],
    [{ source: { bytes: 9_500_000 } }, /contains 10 MB of data, .* only 9 MB free/],
    [{ source: { oplogHours: 0.5 } }, /is 0\.5 hours, but the migration needs at least 1\.0/],
    [{ source: { oplogHours: 2, bytes: 36e9 }, target: { disk: 1e12 } }, /the migration needs at least 5\.0/],
  ];
  for (const [change, message] of impossible) assert.match(String(judged(change)), message);
});
