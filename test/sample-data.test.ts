import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { clusterBody, idIn, idle, newCluster, newProject } from './support/stage.ts';

interface Load {
  readonly _id: string;
  readonly state: string;
}

onOneSetup('SQLite, one instance', 'sample data', (setup) => {
  async function loaded(project: string, name: string): Promise<Record<string, unknown>> {
    const loads = `${project}/sampleDatasetLoad`;
    const begun = expectStatus<Load>(await setup.owner.post(`${loads}/${name}`, undefined), 201);
    const path = `${loads}/${begun._id}`;
    const reply = await until(
      'the end of the load',
      () => setup.owner.get(path),
      (answer) => answer.json().state !== 'WORKING',
    );
    return expectStatus(reply, 200);
  }

  const topologies = {
    'a replica set': {},
    'a sharded cluster': { clusterType: 'SHARDED', numShards: 2 },
  };
  for (const [title, change] of Object.entries(topologies)) {
    test(`is loaded into ${title}, repeatedly`, async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'filled', change);
      await allowAccess(setup, project, cluster);
      const first = await loaded(project, 'filled');
      assert.deepEqual([first.state, first.clusterName], ['COMPLETED', 'filled']);
      assert.ok(first.createDate && first.completeDate);
      const driver = await driverFor(setup, cluster);
      t.after(() => driver.close());
      const counts = async () => {
        const { databases } = await driver.db('admin').admin().listDatabases();
        const names = databases.map(({ name }) => name).filter((name) => name.startsWith('sample_'));
        const of = (database: string, collection: string) =>
          driver.db(database).collection(collection).countDocuments({});
        return [names.toSorted(), await of('sample_films', 'films'), await of('sample_films', 'comments')];
      };
      const all = ['sample_films', 'sample_places', 'sample_shops', 'sample_weather'];
      assert.deepEqual(await counts(), [all, 120, 200]);
      const films = driver.db('sample_films').collection('films');
      await films.deleteMany({ year: { $gt: 1980 } });
      await films.updateMany({}, { $set: { title: 'changed' } });
      assert.equal((await loaded(project, 'filled')).state, 'COMPLETED');
      assert.deepEqual(await counts(), [all, 120, 200]);
      assert.equal(await films.countDocuments({ title: 'changed' }), 0);
      const near = { $near: { $geometry: { type: 'Point', coordinates: [24.1, 56.9] } } };
      const place = await driver.db('sample_places').collection('places').findOne({ location: near });
      assert.equal(place?.address.city, 'Riga');
    });
  }

  test('has the names and shapes of the vendor in its form of the API', async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'films');
    await allowAccess(setup, project, cluster);
    const call = async (method: string, path: string) =>
      await setup.owner.send(method, `/api/atlas/v2${project}/sampleDatasetLoad/${path}`, undefined, {
        accept: 'application/vnd.atlas.2023-01-01+json',
      });
    const { _id } = expectStatus<Load>(await call('POST', 'films'), 201);
    await until(
      'the end of the load',
      () => call('GET', _id),
      (answer) => answer.json().state === 'COMPLETED',
    );
    const driver = await driverFor(setup, cluster);
    t.after(() => driver.close());
    const { databases } = await driver.db('admin').admin().listDatabases();
    assert.deepEqual(
      databases.map(({ name }) => name).filter((name) => name.startsWith('sample_')),
      [
        'sample_airbnb',
        'sample_analytics',
        'sample_geospatial',
        'sample_guides',
        'sample_mflix',
        'sample_restaurants',
        'sample_supplies',
        'sample_training',
        'sample_weatherdata',
      ],
    );
    const movies = driver.db('sample_mflix').collection('movies');
    const comments = { from: 'comments', localField: '_id', foreignField: 'movie_id', as: 'comments' };
    const joined = await movies.aggregate([{ $match: { genres: 'Drama' } }, { $lookup: comments }]).toArray();
    assert.ok(joined.some((movie) => movie.comments.length > 0));
    const $geometry = { type: 'Point', coordinates: [24.1, 56.9] };
    const listings = driver.db('sample_airbnb').collection('listingsAndReviews');
    const near = await listings.findOne({ 'address.location': { $near: { $geometry } } });
    assert.equal(near?.address.market, 'Riga');
  });

  test('waits until the cluster is ready, and is rejected if it cannot be written', async () => {
    const project = await newProject(setup);
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('young')), 201);
    assert.equal((await loaded(project, 'young')).state, 'COMPLETED');
    const events = await setup.owner.get(`${project}/events?eventType=SAMPLE_DATASET_LOAD_REQUESTED`);
    assert.equal(expectStatus(events, 200).totalCount, 1);
    const cluster = `${project}/clusters/young`;
    await idle(setup.owner, cluster);
    expectStatus(await setup.owner.patch(cluster, { paused: true }), 200);
    const loads = `${project}/sampleDatasetLoad`;
    const post = (name: string) => setup.owner.post(`${loads}/${name}`, undefined);
    expectFault(await post('young'), 409, 'CANNOT_UPDATE_PAUSED_CLUSTER', ['young']);
    expectFault(await post('nothing'), 404, 'CLUSTER_NOT_FOUND', ['nothing', idIn(project)]);
    const absent = 'f'.repeat(24);
    expectFault(await setup.owner.get(`${loads}/${absent}`), 404, 'SAMPLE_DATASET_LOAD_NOT_FOUND', [
      absent,
      idIn(project),
    ]);
  });
});
