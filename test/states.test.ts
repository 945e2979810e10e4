import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { backupsOf } from './support/backups.ts';
import { bearer, type Client, type Credentials, clientOf, digest } from './support/client.ts';
import { connectDriver, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { connectionTo, type Reply } from './support/http.ts';
import { commonSettings, runCommand, scopeOf, startService, temporaryFolder } from './support/service.ts';
import { own } from './support/setups.ts';
import {
  type ClusterDocument,
  idIn,
  idle,
  type ListDocument,
  newCluster,
  newOrganization,
  newProject,
  withoutOrigins,
} from './support/stage.ts';
import { harbour, restore, type SavedState, save, states } from './support/states.ts';

/** Saves the whole service with its databases under a name, and restores it. */

own.onOneSetup('SQLite, one instance', 'saved states', (setup) => {
  async function typed(command: string) {
    const [instance] = setup.instances;
    assert.ok(instance);
    return runCommand(command, { 'data-dir': instance.dataDirectory });
  }
  const shown = async (path: string) => withoutOrigins(expectStatus(await setup.owner.get(path), 200));

  test('restores rows, documents, search indexes, snapshots and the clock', async (t) => {
    const { project, cluster, ports, search } = await harbour(t, setup);
    await ports.createSearchIndex({ name: 'names', definition: { mappings: { dynamic: true } } });
    await until('the search index', search, (found) => found.length === 1);
    const snapshots = `${cluster}/backup/snapshots`;
    const { taken } = backupsOf(setup);
    await taken(cluster);
    const frozen = expectStatus(await setup.operator.patch('/operator/v1/clock', { frozen: true }), 200);
    const paths = [
      project,
      cluster,
      snapshots,
      `${project}/databaseUsers`,
      `${project}/events?eventType=CPS_SNAPSHOT_SUCCESSFUL`,
      '/groups',
    ];
    const before = await Promise.all(paths.map(shown));
    const { name, clusters } = await save(setup, 'calm');
    assert.deepEqual([name, clusters], ['calm', 1]);

    // The restore closes this open cursor and this session.
    const cursor = ports.find({}, { batchSize: 1 });
    await cursor.next();
    await ports.deleteOne({ _id: 0 });
    await ports.insertOne({ _id: 9, name: 'Visby again' });
    await newCluster(setup, project, 'later');
    const { key, pair } = await newOrganization(setup, 'ORG_OWNER');
    expectStatus(await key.get('/orgs'), 200);
    expectStatus(
      await setup.operator.patch('/operator/v1/clock', { advanceSeconds: 86_400, frozen: false }),
      200,
    );
    await taken(cluster);
    setup.keepOutOfLogs(pair.privateKey);

    // Requests that arrive during the restore wait until it ends. None of them fails or reads a partly restored
    // service.
    const restored = restore(setup, 'calm');
    const meanwhile = Array.from({ length: 20 }, () => setup.owner.get(project));
    await restored;
    for (const reply of await Promise.all(meanwhile)) expectStatus(reply, 200);
    assert.deepEqual(await Promise.all(paths.map(shown)), before);
    assert.deepEqual(
      (await ports.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
      [0, 1, 2],
    );
    assert.deepEqual(await search(), [1]);
    await assert.rejects(cursor.toArray(), { code: 43 });
    const clock = expectStatus(await setup.operator.get('/operator/v1/clock'), 200);
    assert.deepEqual(clock, frozen);
    assert.equal((await key.get('/orgs')).status, 401);
    // Later writes do not affect the saved state.
    await ports.deleteMany({});
    await restore(setup, 'calm');
    assert.equal(await ports.countDocuments(), 3);
    expectStatus(await setup.operator.patch('/operator/v1/clock', { frozen: false }), 200);
  });

  test('concurrent writes are saved completely or not at all, across clusters, encrypted or not', async (t) => {
    const one = await harbour(t, setup, 'one');
    const other = await harbour(t, setup, 'other', true);
    const stop = new AbortController();
    // Each number is written to the first cluster. Once that write is acknowledged, it is written to the second.
    const writing = (async () => {
      for (let _id = 100; !stop.signal.aborted; _id++) {
        await one.ports.insertOne({ _id, name: 'n' });
        await other.ports.insertOne({ _id, name: 'n' });
      }
    })();
    for (let round = 0; round < 3; round++) {
      await until(
        'writes',
        () => other.ports.countDocuments(),
        (count) => count > 3 + round * 5,
      );
      await save(setup, `round-${round}`);
    }
    stop.abort();
    await writing;
    for (let round = 0; round < 3; round++) {
      await restore(setup, `round-${round}`);
      const [first, second] = await Promise.all([one, other].map(({ ports }) => ports.countDocuments()));
      assert.ok(first === second || first === (second ?? 0) + 1, `${first} and ${second}`);
    }
  });

  test('list differences between states and from the running service', async (t) => {
    const { project, cluster, ports } = await harbour(t, setup, 'drift');
    await save(setup, 'ebb');
    await ports.updateOne({ _id: 1 }, { $set: { name: 'Gotland' } });
    const other = await newProject(setup, { name: 'Flood' });
    expectStatus(await setup.owner.delete(`${project}/databaseUsers/admin/sailor`), 204);
    await save(setup, 'flow');
    const differences = async (query = '') => {
      const reply = await setup.operator.get(`${states}/ebb/differences${query}`);
      return expectStatus<{ type: string }[]>(reply, 200);
    };
    const { id } = await idle(setup.owner, cluster);
    const made = (await differences('?with=flow')).filter(({ type }) =>
      ['project', 'collection'].includes(type),
    );
    assert.deepEqual(made, [
      { change: 'ADDED', id: idIn(other), kind: 'RESOURCE', name: 'Flood', type: 'project' },
      { change: 'CHANGED', id: `${id}/sea.ports`, kind: 'COLLECTION', name: 'sea.ports', type: 'collection' },
    ]);
    const users = (await differences()).filter(({ type }) => type === 'database_user');
    assert.deepEqual(
      users.map((one) => ({ ...one, id: undefined })),
      [{ change: 'REMOVED', id: undefined, kind: 'RESOURCE', type: 'database_user' }],
    );
    assert.deepEqual(await differences('?with=ebb'), []);
    assert.match((await typed('state diff ebb flow')).out, /^added project Flood [0-9a-f]{24}$/m);
  });

  test('are listed, replaced and deleted, also by command', async () => {
    await save(setup, 'twice');
    assert.match((await typed('state save twice')).out, /^twice +20\S+Z {2}\d+ clusters?, [\d.]+ MiB\n$/);
    const listed = expectStatus<SavedState[]>(await setup.operator.get(states), 200);
    assert.equal(listed.filter(({ name }) => name === 'twice').length, 1);
    assert.match((await typed('state list')).out, /^twice /m);
    assert.equal((await typed('state restore twice')).out, 'restored twice\n');
    assert.equal((await typed('state delete twice')).out, 'deleted twice\n');
    expectFault(await setup.operator.delete(`${states}/twice`), 404, 'STATE_NOT_FOUND', ['twice']);
    expectFault(await setup.operator.post(`${states}/twice/restore`, undefined), 404, 'STATE_NOT_FOUND', [
      'twice',
    ]);
    expectFault(await setup.operator.delete(`${states}/.first`), 400, 'STATE_NAME_INVALID', ['.first']);
    assert.equal((await setup.operator.post(states, { name: '../up' })).status, 400);
    assert.equal((await setup.owner.post(states, { name: 'mine' })).status, 401);
    assert.match(
      (await typed('state restore none')).err,
      /^portolan: The service rejected the request: No saved state has the name none\.$/m,
    );
    assert.match((await typed('state save')).err, /^portolan: save takes NAME, but got 0 arguments$/m);
  });

  test('resets to the state after the first start, with the same keys', async (t) => {
    const { project, ports } = await harbour(t, setup, 'gone');
    assert.equal(await ports.countDocuments(), 3);
    assert.equal((await typed('state reset')).out, 'reset\n');
    assert.equal((await setup.owner.get(project)).status, 404);
    const { totalCount, results } = expectStatus<ListDocument>(await setup.owner.get('/groups'), 200);
    assert.deepEqual([totalCount, results[0]?.id], [1, setup.bootstrap.groupId]);
    expectStatus(await setup.account.get('/groups'), 200);
    const { dataDirectory } = setup.instances[0] ?? { dataDirectory: '' };
    assert.deepEqual(readdirSync(join(dataDirectory, 'engine/clusters')), []);
    // The restored service works like any other, and a restart changes nothing.
    await harbour(t, setup, 'again');
    await setup.stop();
    await setup.start();
    expectStatus(await setup.owner.get('/groups'), 200);
  });
});

own.onOneSetup('SQLite, one instance', 'moving states', (setup) => {
  const directory = () => setup.instances[0]?.dataDirectory ?? '';
  async function typed(command: string, dataDirectory = directory()) {
    const { code, out, err } = await runCommand(command, { 'data-dir': dataDirectory });
    assert.equal(code, 0, err);
    return out;
  }
  async function started(t: TestContext, dataDirectory: string) {
    const scope = scopeOf(t);
    const service = await startService(scope, dataDirectory, await commonSettings(scope));
    const connection = connectionTo(service.bootstrap.url, service.authority);
    t.after(() => connection.close());
    const called = (by: Credentials) => clientOf(() => [connection], by, { check: () => {} });
    const { operatorToken } = service.bootstrap;
    return { service, called, operator: called(bearer(operatorToken)) };
  }
  /** Waits until the cluster of the fork runs. Returns what a driver reads from it. */
  async function documentsAt(owner: Client, cluster: string) {
    const { connectionStrings } = await idle(owner, cluster);
    const driver = await connectDriver(connectionStrings.standard ?? '', LONG_TIMEOUTS);
    const count = await driver.db('sea').collection('ports').countDocuments();
    await driver.close();
    return { count, at: connectionStrings.standard };
  }

  test('can be forked, and exported to other machines in one file', async (t) => {
    const folder = await temporaryFolder(scopeOf(t));
    const [fork, strange, spare] = ['fork', 'strange', 'spare'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const file = join(folder, 'travel.tar.zst');
    const { cluster, driver, ports } = await harbour(t, setup);
    const owner = digest(setup.bootstrap);
    const at = (await idle(setup.owner, cluster)).connectionStrings.standard;
    await save(setup, 'travel');
    await ports.deleteMany({});

    assert.match(await typed(`state fork travel ${fork}`), /^created /);
    const beside = await started(t, fork);
    const forked = beside.called(owner);
    const reachable = (reply: Reply) => {
      const { stateName, connectionStrings } = reply.json() as unknown as ClusterDocument;
      // The fork cannot use the ports of the original service, which is still running.
      assert.ok(stateName === 'REPAIRING' || connectionStrings.standard !== at, stateName);
      return stateName === 'IDLE';
    };
    await until('ports of its own', () => forked.get(cluster), reachable);
    assert.equal((await documentsAt(forked, cluster)).count, 3);
    assert.equal(await ports.countDocuments(), 0);
    await beside.service.stop();

    assert.match(await typed(`state export travel ${file}`), /^wrote /);
    const others = await started(t, strange);
    await typed(`state import ${file} travel`, strange);
    const refused = await others.operator.post(`${states}/travel/restore`, undefined);
    expectFault(refused, 409, 'STATE_CANNOT_BE_RESTORED', [
      'travel',
      'its secrets are encrypted with another secret key',
    ]);
    assert.equal((await others.called(owner).get('/groups')).status, 401);
    await others.service.stop();

    await driver.close();
    await setup.stop();
    await mkdir(spare, { mode: 0o700 });
    await copyFile(join(directory(), 'secret.key'), join(spare, 'secret.key'));
    await typed(`state import ${file} travel`, spare);
    const rescued = await started(t, spare);
    expectStatus(await rescued.operator.post(`${states}/travel/restore`, undefined), 204);
    assert.equal((await documentsAt(rescued.called(owner), cluster)).count, 3);
    const bootstrap = JSON.parse(await readFile(join(spare, 'bootstrap.json'), 'utf8'));
    assert.equal(bootstrap.operatorToken, setup.bootstrap.operatorToken);
  });

  test('rejects a damaged file and a name in use', async (t) => {
    const folder = await temporaryFolder(scopeOf(t));
    const file = join(folder, 'damaged.tar.zst');
    await setup.start();
    await save(setup, 'sound');
    await typed(`state export sound ${file}`);
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
    await writeFile(file, bytes);
    const errorOf = async (command: string) => (await runCommand(command, { 'data-dir': directory() })).err;
    assert.match(
      await errorOf(`state import ${file} other`),
      /^portolan: .*damaged\.tar\.zst cannot be read as a state/m,
    );
    assert.match(await errorOf(`state import ${file} sound`), /^portolan: There is already a state sound: /m);
    assert.match(await errorOf(`state fork sound ${folder}`), /^portolan: .* is not empty$/m);
    assert.match(await errorOf(`state export none ${file}`), /^portolan: There is no saved state none in /m);
    for (const command of [
      `export ../states/sound ${file}`,
      `export .first ${file}`,
      `fork ../sound ${folder}/f`,
    ])
      assert.match(await errorOf(`state ${command}`), /^portolan: \S+ is not a valid name of a state$/m);
    assert.deepEqual(readdirSync(join(directory(), 'states')).toSorted(), ['.first', 'sound', 'travel']);
  });
});
