import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { machineClock } from '@portolan/foundation/clock';
import { KeyFolder } from '@portolan/foundation/keys/key-folder';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import type { Deployment } from '../interface/engine.ts';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { WireClient } from '../wire/testing.ts';
import { Backups } from './backups.ts';
import type { CheckRequest } from './check-thread.ts';
import { ConnectionThreads } from './connection-threads.ts';
import { Deployments } from './deployments.ts';
import { FileKeys } from './file-keys.ts';
import { Ports } from './ports.ts';
import { QueryThreads } from './query-threads.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'portolan-deployments-'));
const clusters = join(dataDir, 'clusters');
const random = systemRandom();
const ports = await enginePorts();
let onDeath = () => {};
const log = {
  ...silentLog(),
  error: (_: object, message: string) => (/ended$/.test(message) ? onDeath() : undefined),
};
const waiting: Array<() => void> = [];
const clock = {
  ...machineClock(),
  after(_: number, run: () => void) {
    waiting.push(run);
    return () => {};
  },
};

const threads = new ConnectionThreads(1, log);
const queryThreads = new QueryThreads(1, log);
const keyFolder = join(dataDir, 'keys');
const settings = { dataDir, listen: '127.0.0.1', advertise: '127.0.0.1', ports, keyFolder };
const checked: string[] = [];
/** Set by the fake checks. Calling it reports a fault as the result of the last check. */
let findDamage: (fault: string) => void = () => {};
const checks = {
  check({ file }: CheckRequest, end: (fault: string | undefined) => void) {
    checked.push(file);
    findDamage = end;
  },
};
const backups = new Backups();
const keys = new KeyFolder(keyFolder, random);
const parts = {
  checks,
  settings,
  threads,
  queryThreads,
  backups,
  fileKeys: new FileKeys({ keys, random, backups }),
  ports: new Ports(ports),
  clock,
  log,
  now: () => 0,
};
const deployments = new Deployments(clusters, parts, random);

const access = { revision: 1, users: [], addresses: ['127.0.0.1/32'] };
const spec = (id: string) => deploymentSpec({ id, access, members: [memberSpec(0)] });

before(() => {
  mkdirSync(join(clusters, 'damaged'), { recursive: true });
  writeFileSync(join(clusters, 'damaged', 'deployment.json'), '{');
  mkdirSync(join(clusters, '.removed-half'));
  mkdirSync(join(clusters, 'begun'));
  return deployments.load();
});
after(async () => {
  await deployments.close();
  await backups.stop();
  await queryThreads.stop(clock);
  await threads.stop();
  rmSync(dataDir, { recursive: true });
});

function connect({ members }: Deployment): Promise<WireClient> {
  return WireClient.connect(members[0]?.port ?? 0);
}

const ping = { ping: 1, $db: 'admin' };

/** Sends an invalid message. Resolves when the receiving thread has ended because of it. */
function poison(port: MessagePort): Promise<void> {
  const died = new Promise<void>((resolve) => {
    onDeath = resolve;
  });
  port.postMessage({ requests: 0, replies: 0 });
  return died;
}

function endQueryThread(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  queryThreads.assign('poison').connect(port2);
  return poison(port1);
}

function endThread(clusterId: string): Promise<void> {
  return new Promise((resolve) => {
    const worker = { id: 0, connect: (port: MessagePort) => void poison(port).then(resolve) };
    const routed = threads.assign('poison').route(clusterId, worker);
    routed.catch(() => {});
  });
}

suite('deployments', () => {
  test('an unreadable deployment is failed, is kept, and can be removed', async () => {
    const damaged = await deployments.describe('damaged');
    assert.equal(damaged?.state, 'failed');
    assert.match(damaged?.message ?? '', /deployment\.json is damaged$/);
    assert.equal((await deployments.provision(spec('damaged'))).state, 'failed');
    assert.ok(existsSync(join(clusters, 'damaged', 'deployment.json')));
    await deployments.remove('damaged');
    assert.equal(existsSync(join(clusters, 'damaged')), false);
  });

  test('completes an interrupted removal, and ignores an interrupted provisioning', async () => {
    assert.equal(existsSync(join(clusters, '.removed-half')), false);
    assert.equal(await deployments.describe('begun'), undefined);
    assert.equal((await deployments.provision(spec('begun'))).state, 'running');
  });

  for (const [what, lose] of [
    ['missing', (file: string) => rmSync(file)],
    ['empty', (file: string) => writeFileSync(file, '')],
  ] as const)
    test(`reports a file that is ${what}, and creates none in its place`, async () => {
      const id = `lost-${what}`;
      await deployments.provision(spec(id));
      await deployments.change(id, (deployment) => deployment.pause());
      const file = join(clusters, id, 'cluster.db');
      const bytes = readFileSync(file);
      lose(file);
      const lost = await deployments.change(id, (deployment) => deployment.resume());
      assert.equal(lost.state, 'failed');
      assert.match(lost.message ?? '', /cluster\.db is (missing|damaged \(empty\))/);
      assert.equal((await deployments.provision(spec(id))).state, 'failed');
      writeFileSync(file, bytes);
      assert.equal((await deployments.provision(spec(id))).state, 'running');
    });

  test('checks the files of running deployments that were not checked for long', async () => {
    const [running, resting] = [await deployments.provision(spec('read')), spec('resting')];
    await deployments.provision(resting);
    await deployments.change(resting.id, (deployment) => deployment.pause());
    deployments.checkFiles(3_600_000);
    assert.equal(checked.length, 0);
    deployments.checkFiles(0);
    const of = (id: string) => join(clusters, id, 'cluster.db');
    assert.deepEqual([checked.includes(of(running.id)), checked.includes(of(resting.id))], [true, false]);
    for (const { id } of [running, resting]) await deployments.remove(id);
  });

  test('rejects an id that is no directory name', async () => {
    await assert.rejects(deployments.provision(spec('../x')), /letters, digits/);
  });

  test('another query thread replaces one that has ended and opens its clusters', async () => {
    const made = await deployments.provision(spec('a'));
    const client = await connect(made);
    assert.equal((await client.command(ping)).ok, 1);
    await endQueryThread();
    assert.deepEqual(await deployments.describe('a'), made);
    const late = await connect(made);
    assert.equal((await late.command(ping)).ok, 1);
    for (const each of [client, late]) each.end();
  });

  test('ignores damage found with another key', async () => {
    const masterKey = 'master';
    await keys.make(masterKey);
    const made = spec('sealed');
    await deployments.provision(made);
    deployments.checkFiles(0);
    const ofPlain = findDamage;
    await deployments.reconfigure({ ...made, encryption: { masterKey } });
    ofPlain('it is not a database file');
    assert.equal((await deployments.describe(made.id))?.state, 'running');
    await deployments.change(made.id, async (deployment) => deployment.file.check());
    findDamage('page 7 is damaged');
    const { state, message } = (await deployments.describe(made.id)) ?? {};
    assert.deepEqual([state, message?.includes('page 7')], ['failed', true]);
    await deployments.remove(made.id);
  });

  test('another connection thread replaces one that has ended, with the same ports', async () => {
    const made = await deployments.provision(spec('b'));
    const client = await connect(made);
    await endThread('b');
    await client.closed;
    assert.deepEqual(await deployments.describe('b'), made);
    const late = await connect(made);
    assert.equal((await late.command(ping)).ok, 1);
    late.end();
  });

  test('pauses a cluster whose query thread ends repeatedly', async () => {
    await deployments.provision(spec('c'));
    for (let i = 0; i < 6; i++) {
      await endQueryThread();
      await deployments.describe('c');
    }
    assert.deepEqual((await deployments.describe('c'))?.message, 'its query thread ends repeatedly');
    for (const run of waiting.splice(0)) run();
    assert.equal((await deployments.describe('c'))?.state, 'running');
  });
});
