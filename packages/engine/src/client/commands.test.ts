import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { enginePorts } from '@portolan/test-support/ports';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { createEmbeddedEngine } from './engine.ts';
import { startHost } from './testing/host.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'portolan-commands-'));
const ports = await enginePorts();
const engine = createEmbeddedEngine({
  dataDir,
  startHost,
  log: silentLog(),
  ports,
});

after(async () => {
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

suite('the service', () => {
  test('runs commands with all privileges, with or without users', async () => {
    const spec = deploymentSpec({ id: 'a'.repeat(24) });
    const { primaries } = await engine.provision(spec);
    const documents = [{ _id: 1, name: 'Riga' }];
    const insert = { insert: 'ports', $db: 'harbour', documents };
    assert.partialDeepStrictEqual(await engine.run(spec.id, insert), { n: 1, ok: 1 });
    const again = await engine.run(spec.id, insert);
    assert.equal((again.writeErrors as { code: number }[])[0]?.code, 11_000);
    const found = await engine.run(spec.id, { find: 'ports', $db: 'harbour' });
    assert.deepEqual((found.cursor as { firstBatch: unknown }).firstBatch, documents);
    assert.partialDeepStrictEqual(await engine.run(spec.id, { sail: 1, $db: 'harbour' }), {
      ok: 0,
      codeName: 'CommandNotFound',
    });
    await engine.failover(spec.id, primaries[0]);
    assert.equal((await engine.run(spec.id, { insert: 'ports', $db: 'harbour', documents: [{}] })).n, 1);
    await engine.pause(spec.id);
    await assert.rejects(engine.run(spec.id, insert), /does not accept commands now/);
    await assert.rejects(engine.run('b'.repeat(24), insert), /there is no deployment/);
  });

  test('runs them on a router of a sharded cluster', async () => {
    const router = memberSpec(0, { id: 'router-00-00', kind: 'router', priority: 0 });
    const shards = {
      shardNames: ['set-1-shard-0'],
      members: [memberSpec(0), memberSpec(1), memberSpec(2), router],
    };
    const spec = deploymentSpec({ id: 'c'.repeat(24), ...shards });
    await engine.provision(spec);
    const { shards: listed } = await engine.run(spec.id, { listShards: 1, $db: 'admin' });
    assert.equal((listed as unknown[]).length, 1);
  });

  test('learns which deployments should run but do not; the log reports each of them once', async () => {
    const spec = deploymentSpec({ id: 'd'.repeat(24) });
    const { members } = await engine.provision(spec);
    await engine.pause(spec.id);
    assert.deepEqual(await engine.troubled(), []);
    const thief = createServer().listen(members[0]?.port, '127.0.0.1');
    await once(thief, 'listening');
    const reason = `port ${members[0]?.port} of member shard-00-00 is taken by another program`;
    for (let i = 0; i < 3; i++) assert.equal((await engine.resume(spec.id)).message, reason);
    assert.deepEqual(await engine.troubled(), [{ id: spec.id, message: reason }]);
    thief.close();
    await once(thief, 'close');
    assert.equal((await engine.resume(spec.id)).state, 'running');
    assert.deepEqual(await engine.troubled(), []);
    const log = readFileSync(join(dataDir, 'engine', 'host.log'), 'utf8');
    assert.equal(log.split('deployment failed').length - 1, 1);
  });
});
