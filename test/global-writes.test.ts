import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { LONG_TIMEOUTS, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { applied, newCluster, newProject, nodes } from './support/stage.ts';

/** Tests global clusters: zones of locations, and collections whose documents are stored in the zone of their location. */

type Document = Record<string, unknown>;

const zone = (zoneName: string, region: string) => ({
  numShards: 1,
  regionsConfig: { [region]: nodes(3, 7) },
  zoneName,
});
const globe = {
  clusterType: 'GEOSHARDED',
  diskSizeGB: 40,
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
  replicationSpecs: [zone('America', 'US_EAST_1'), zone('Europe', 'EU_WEST_1')],
};

onOneSetup('SQLite, one instance', 'global writes', (setup) => {
  test('documents are stored in the zone of their location', async (t) => {
    const { owner } = setup;
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'globe', globe);
    const path = `${cluster}/globalWrites`;
    const empty = expectStatus<Document>(await owner.get(path), 200);
    assert.partialDeepStrictEqual(empty, {
      customZoneMapping: {},
      managedNamespaces: [],
      selfManagedSharding: false,
    });
    const people = { db: 'shop', collection: 'people', customShardKey: 'city' };
    expectStatus(await owner.post(`${path}/managedNamespaces`, people), 200);
    const customZoneMappings = [
      { location: 'US', zone: 'America' },
      { location: 'DE', zone: 'Europe' },
    ];
    const mapped = expectStatus<Document>(
      await owner.post(`${path}/customZoneMapping`, { customZoneMappings }),
      200,
    );
    const { replicationSpecs } = expectStatus<{ replicationSpecs: { id: string }[] }>(
      await owner.get(cluster),
      200,
    );
    const [america = '', europe = ''] = replicationSpecs.map(({ id }) => id);
    assert.deepEqual(mapped.customZoneMapping, { DE: europe, US: america });
    assert.partialDeepStrictEqual(mapped.managedNamespaces, [people]);
    expectFault(await owner.post(`${path}/managedNamespaces`, people), 409, 'DUPLICATE_MANAGED_NAMESPACE', [
      'shop.people',
      'globe',
    ]);

    const roles = [{ roleName: 'platformAdmin', databaseName: 'admin' }];
    expectStatus(
      await owner.post(`${project}/databaseUsers`, { ...SAILOR, databaseName: 'admin', roles }),
      201,
    );
    expectStatus(await owner.post(`${project}/accessList`, [{ ipAddress: '127.0.0.1' }]), 201);
    await applied(owner, cluster);
    const { connectionStrings } = expectStatus<{ connectionStrings: { standard: string } }>(
      await owner.get(cluster),
      200,
    );
    const driver = await MongoClient.connect(connectionStrings.standard, { auth: SAILOR, ...LONG_TIMEOUTS });
    t.after(() => driver.close());
    const config = driver.db('config');
    const ranges = () => config.collection('tags').find({ ns: 'shop.people' }).toArray();
    const tagged = await until('ranges of both locations', ranges, (found) => found.length === 2);
    assert.deepEqual(tagged.map(({ min, tag }) => [min.location, tag]).sort(), [
      ['DE', europe],
      ['US', america],
    ]);
    await driver
      .db('shop')
      .collection('people')
      .insertMany([
        { location: 'DE', city: 'Kiel' },
        { location: 'US', city: 'Boston' },
      ]);
    const chunks = await config.collection('chunks').find({}).sort({ min: 1 }).toArray();
    const shards = await config.collection('shards').find({}).toArray();
    const zonesOf = (shard: unknown) => shards.find(({ _id }) => String(_id) === shard)?.tags;
    // The chunk of DE is followed by the last one, which contains US.
    const german = chunks.findIndex(({ min }) => min.location === 'DE');
    assert.deepEqual(
      chunks.slice(german).map(({ shard }) => zonesOf(shard)),
      [[europe], [america]],
    );

    // With another shard of America, the second shard leaves Europe.
    const wider = [
      { ...zone('America', 'US_EAST_1'), id: america, numShards: 2 },
      { ...zone('Europe', 'EU_WEST_1'), id: europe },
    ];
    expectStatus(await owner.patch(cluster, { replicationSpecs: wider }), 200);
    const zones = () => config.collection('shards').find({}).sort({ _id: 1 }).toArray();
    const moved = await until('only the third shard in Europe', zones, (found) => {
      const inEurope = found.filter(({ tags = [] }) => tags.includes(europe));
      return found.length === 3 && inEurope.length === 1 && inEurope[0] === found[2];
    });
    assert.deepEqual(
      moved.map(({ tags }) => tags),
      [[america], [america], [europe]],
    );
    const home = () => config.collection('chunks').find({ 'min.location': 'DE' }).sort({ min: 1 }).next();
    await until(
      'the documents of Europe on the third shard',
      home,
      (found) => found?.shard === moved[2]?._id,
    );

    const vendor = `/api/atlas/v2${path}`;
    const accept = 'application/vnd.atlas.2024-08-05+json';
    const shown = expectStatus<Document>(await owner.get(vendor, { accept }), 200);
    const { replicationSpecs: specs } = expectStatus<{ replicationSpecs: { zoneId: string }[] }>(
      await owner.get(`/api/atlas/v2${cluster}`, { accept }),
      200,
    );
    assert.deepEqual(
      Object.values(shown.customZoneMapping as object).sort(),
      [...new Set(specs.map(({ zoneId }) => zoneId))].sort(),
    );
    const query = 'db=shop&collection=people';
    const left = expectStatus<Document>(
      await owner.delete(`${vendor}/managedNamespaces?${query}`, { accept }),
      200,
    );
    assert.deepEqual(left.managedNamespaces, []);
    await until('no ranges', ranges, (found) => found.length === 0);
    expectStatus(await owner.delete(`${path}/customZoneMapping`), 200);
  });

  test('only global clusters have zones, and only their own', async () => {
    const { owner } = setup;
    const project = await newProject(setup);
    const path = `${await newCluster(setup, project, 'quay')}/globalWrites`;
    expectFault(await owner.get(path), 400, 'CLUSTER_NOT_GLOBAL', ['quay', 'REPLICASET']);
    const own = { ...globe, globalClusterSelfManagedSharding: true };
    const globes = `${await newCluster(setup, project, 'globe', own)}/globalWrites`;
    assert.equal(expectStatus<Document>(await owner.get(globes), 200).selfManagedSharding, true);
    const body = { customZoneMappings: [{ location: 'US', zone: 'America' }] };
    expectFault(await owner.post(`${globes}/customZoneMapping`, body), 400, 'SELF_MANAGED_SHARDING', [
      'globe',
    ]);
  });
});
