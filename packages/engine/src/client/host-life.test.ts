import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { realTime } from '@portolan/foundation/clock';
import { isAlive } from '@portolan/foundation/is-alive';
import { MongoNetworkError } from 'mongodb';
import { readHostFile } from '../control/host-file.ts';
import { createEmbeddedEngine } from './engine.ts';
import { engineOfDeployments, orders } from './testing/deployments.ts';

const started = await engineOfDeployments('host-life');
const { engine, options, newSpec, connect, driver } = started;
const { dataDir } = options;

before(() => engine.start());
after(() => started.stop());

suite('the host process', () => {
  test('a second engine finds the same host, and closing one engine keeps the host up', async () => {
    const other = createEmbeddedEngine(options);
    await other.start();
    assert.equal((await other.status()).pid, (await engine.status()).pid);
    other.close();
    await assert.rejects(other.status(), { name: 'EngineUnavailable' });
    assert.ok((await engine.status()).pid > 0);
  });

  test('replies to hello contain the service time, also after a restart of the host', async () => {
    const made = await engine.provision(newSpec());
    const at = Date.UTC(2030, 0, 1);
    await engine.setClock({ at, since: 0, rate: 0 });
    const localTime = async () => {
      const url = `mongodb://127.0.0.1:${made.members[0]?.port}/?directConnection=true`;
      const client = connect(url);
      return (await client.db('admin').command({ hello: 1 })).localTime.getTime();
    };
    assert.equal(await localTime(), at);
    process.kill((await engine.status()).pid, 'SIGKILL');
    await engine.describe(made.id);
    assert.equal(await localTime(), at);
    await engine.setClock(realTime);
  });

  test('its file is readable by its owner only and contains no secret but its own token', () => {
    const path = join(dataDir, 'engine', 'host.json');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(Object.keys(readHostFile(dataDir) ?? {}).sort(), [
      'host',
      'pid',
      'port',
      'protocol',
      'token',
    ]);
  });

  test('after SIGKILL it comes back with its ports and every acknowledged write', async () => {
    const spec = newSpec();
    const paused = newSpec();
    const made = await engine.provision(spec);
    await engine.provision(paused);
    await engine.pause(paused.id);
    const writer = driver(made, { retryWrites: false });
    const acknowledged: number[] = [];
    let isKilled = false;
    const writing = (async () => {
      for (let i = 0; !isKilled; i++) {
        await orders(writer).insertOne({ _id: i });
        acknowledged.push(i);
      }
    })();
    while (acknowledged.length < 50) await Promise.race([writing, setTimeout(1)]);
    const { pid } = await engine.status();
    process.kill(pid, 'SIGKILL');
    isKilled = true;
    // The last write fails unless the driver notices the end of the host before it sends the write.
    await writing.catch((error) => assert.ok(error instanceof MongoNetworkError, String(error)));

    // The engine restarts its host even if there are no calls.
    const kept = await orders(driver(made, { serverSelectionTimeoutMS: 240_000 }))
      .find()
      .sort({ _id: 1 })
      .toArray();
    assert.deepEqual(await engine.describe(spec.id), made);
    assert.notEqual((await engine.status()).pid, pid);
    assert.deepEqual(
      kept.slice(0, acknowledged.length).map(({ _id }) => _id),
      acknowledged,
    );
    assert.equal((await engine.describe(paused.id))?.state, 'paused');
  });

  test('a stop ends it; the next engine opens everything again, with its own settings', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portolan-engine-again-'));
    const one = createEmbeddedEngine({ ...options, dataDir: directory });
    const made = await one.provision(newSpec());
    await orders(driver(made)).insertOne({ _id: 1 });
    const { pid } = await one.status();
    await one.stop();
    assert.equal(readHostFile(directory), undefined);
    assert.equal(isAlive(pid), false);

    const two = createEmbeddedEngine({ ...options, dataDir: directory });
    assert.deepEqual(await two.describe(made.id), made);
    assert.equal(await orders(driver(made)).countDocuments(), 1);
    two.close();
    const three = createEmbeddedEngine({ ...options, dataDir: directory, advertise: 'localhost' });
    const moved = await three.describe(made.id);
    assert.deepEqual(
      moved?.members.map(({ host }) => host),
      ['localhost', 'localhost', 'localhost'],
    );
    assert.equal(await orders(driver(made)).countDocuments(), 1);
    await three.stop();
    rmSync(directory, { recursive: true });
  });

  test('it ends when its data directory is gone', async () => {
    const gone = mkdtempSync(join(tmpdir(), 'portolan-engine-gone-'));
    const short = createEmbeddedEngine({ ...options, dataDir: gone });
    const { pid } = await short.status();
    short.close();
    // While the folder is being removed, the host may create a file in it.
    rmSync(gone, { recursive: true, maxRetries: 10 });
    while (isAlive(pid)) await setTimeout(20);
    assert.equal(existsSync(gone), false);
    const late = createEmbeddedEngine({ ...options, dataDir: gone });
    await assert.rejects(late.start(), /ENOENT/);
    late.close();
  });
});
