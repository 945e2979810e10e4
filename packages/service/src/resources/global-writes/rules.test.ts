import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import { addMappings } from './changes.ts';
import { mappingsOf } from './rows.ts';
import { MAX_MAPPINGS } from './schema.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countries = letters.flatMap((first) => letters.map((second) => first + second));
const locations = countries.flatMap((country) => letters.slice(0, 8).map((part) => `${country}-${part}`));

onEachDatabase('a cluster has a largest number of mapped locations', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const cluster = await store.write((tx) => makeCluster(tx, groupId));
  const zone = { ...cluster.spec.zones[0], id: 'a'.repeat(24), name: 'Europe' };
  const other = { ...zone, id: 'b'.repeat(24), name: 'Asia' };
  const globe = { ...cluster, spec: { ...cluster.spec, zones: [zone, other] } } as typeof cluster;
  const map = (all: readonly string[], name = 'Europe') =>
    store.write((tx) =>
      addMappings(tx, globe, { customZoneMappings: all.map((location) => ({ location, zone: name })) }),
    );
  const stored = () => store.read((tx) => mappingsOf(tx, cluster.id));
  await map(locations.slice(0, MAX_MAPPINGS));
  assert.equal((await stored()).length, MAX_MAPPINGS);
  await assert.rejects(map(locations.slice(MAX_MAPPINGS, MAX_MAPPINGS + 1)), {
    code: 'ZONE_MAPPINGS_LIMIT_EXCEEDED',
    message: `The cluster c has reached its limit of ${MAX_MAPPINGS} mapped locations.`,
  });
  // Mappings of the same locations replace the stored ones.
  await map(locations.slice(0, 2), 'Asia');
  const zoneIds = (await stored()).map(({ zoneId }) => zoneId);
  assert.deepEqual([zoneIds.length, ...zoneIds.slice(0, 3)], [MAX_MAPPINGS, other.id, other.id, zone.id]);
});
