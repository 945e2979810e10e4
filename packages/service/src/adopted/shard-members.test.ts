import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { scopeOf } from '@portolan/test-support/service';
import { replicaSet, router, standInServer } from '@portolan/test-support/stand-in-server';
import type { Document } from 'mongodb';
import { AdoptedDeployment } from './deployment.ts';

const FCV = 'featureCompatibilityVersion';
const ALL = [{ resource: { anyResource: true }, actions: ['anyAction'] }];
const MONITORS = [{ resource: { cluster: true }, actions: ['serverStatus'] }];
const FORBIDDEN = { ok: 0, code: 13, errmsg: 'not authorized' };

interface Options {
  /** The privileges of the user on the members of shards. */
  readonly privileges?: readonly object[];
  /** Whether the second shard knows the user. */
  readonly hasUser?: boolean;
  /** Whether the user may read the feature compatibility version by the router. */
  readonly readsVersion?: boolean;
}

/** Opens a deployment with a router and two shards of two members each. `commands` contains the changes. */
async function opened(t: TestContext, { privileges = ALL, hasUser = true, readsVersion = true }: Options) {
  const scope = scopeOf(t);
  const commands: string[] = [];
  const primaries = ['', ''];
  const scans = new Map<string, unknown>();
  let version = '8.0';
  const signsIn = { saslStart: { conversationId: 1, done: true, payload: Buffer.alloc(0) } };
  const rightsOf = (authenticatedUserPrivileges: readonly object[]) => ({
    connectionStatus: { authInfo: { authenticatedUsers: [{ user: 'keeper' }], authenticatedUserPrivileges } },
  });

  function member(shard: number) {
    const hosts: string[] = [];
    const start = async () => {
      const { host } = await standInServer(scope, (command, own) => answer(command, own));
      hosts.push(host);
      scans.set(host, false);
    };
    function answer(command: Document, own: string): Document | undefined {
      if (command.saslStart !== undefined && !hasUser && shard === 1)
        return { ok: 0, code: 18, errmsg: 'Authentication failed.' };
      if (command.setParameter !== undefined) {
        commands.push(`setParameter on shard ${shard}`);
        scans.set(own, command.notablescan);
        return { ok: 1 };
      }
      if (command.replSetStepDown !== undefined) {
        commands.push(`replSetStepDown on shard ${shard}`);
        primaries[shard] = hosts.find((host) => host !== own) ?? own;
        return { ok: 1 };
      }
      const isPrimary = own === primaries[shard];
      const hello = { setName: `shard${shard}`, hosts, isWritablePrimary: isPrimary, secondary: !isPrimary };
      const parameters = { notablescan: scans.get(own), [FCV]: { version } };
      return replicaSet({ hello, ...signsIn, ...rightsOf(privileges), getParameter: parameters })(
        command,
        own,
      );
    }
    return { hosts, start };
  }

  const shards = [member(0), member(1)];
  for (const [index, { hosts, start }] of shards.entries()) {
    await start();
    await start();
    primaries[index] = hosts[0] ?? '';
  }
  const listShards = {
    shards: shards.map(({ hosts }, index) => ({ host: `shard${index}/${hosts.join(',')}` })),
  };
  const { host } = await standInServer(scope, (command, own) => {
    if (command.setFeatureCompatibilityVersion !== undefined) {
      if (command.setFeatureCompatibilityVersion === 'unknown') return { ok: 0, code: 2, errmsg: 'invalid' };
      commands.push('setFeatureCompatibilityVersion on the router');
      version = command.setFeatureCompatibilityVersion;
      return { ok: 1 };
    }
    if (command.find === 'system.version')
      return readsVersion ? { ok: 1, cursor: { firstBatch: [{ _id: FCV, version }] } } : FORBIDDEN;
    return router({ listShards, ...signsIn, ...rightsOf(ALL) })(command, own);
  });
  const connectionString = `mongodb://keeper:secret@${host}/?authMechanism=PLAIN&authSource=%24external`;
  const machine = machineClock();
  const parts = { clock: serviceClock(machine), machine, log: silentLog(), random: systemRandom() };
  const deployment = new AdoptedDeployment(
    'x',
    { connection: { connectionString }, found: undefined },
    parts,
  );
  t.after(() => deployment.close());
  // The members are known after the first inspection. The second one asks them.
  await deployment.reachable();
  const { found } = await deployment.reachable();
  return { deployment, found, commands };
}

test('the primary of each shard steps down, one after another, or only the given one', async (t) => {
  const { deployment, found, commands } = await opened(t, {});
  assert.ok(found.facts.includes('stepDown'));
  await deployment.stepDown(undefined);
  assert.deepEqual(commands, ['replSetStepDown on shard 0', 'replSetStepDown on shard 1']);
  assert.deepEqual((await deployment.reachable()).primaries, ['shard-00-01', 'shard-01-01']);
  await deployment.stepDown('shard-01-01');
  assert.deepEqual((await deployment.reachable()).primaries, ['shard-00-01', 'shard-01-00']);
});

test('arguments are set on all members of the shards, and not on the router', async (t) => {
  const { deployment, found, commands } = await opened(t, {});
  assert.deepEqual([found.arguments?.noTableScan, found.facts.includes('changeArguments')], [false, true]);
  await deployment.configure({ arguments: { noTableScan: true } });
  assert.deepEqual(
    commands.sort(),
    [0, 0, 1, 1].map((shard) => `setParameter on shard ${shard}`),
  );
  assert.equal((await deployment.reachable()).found.arguments?.noTableScan, true);
});

test('the feature compatibility version is changed on the router', async (t) => {
  for (const readsVersion of [true, false]) {
    const { deployment, found, commands } = await opened(t, { readsVersion });
    assert.deepEqual(
      [found.featureCompatibilityVersion, found.facts.includes('changeCompatibility')],
      ['8.0', true],
    );
    await deployment.configure({ featureCompatibilityVersion: '7.0' });
    assert.deepEqual(commands, ['setFeatureCompatibilityVersion on the router']);
    assert.equal((await deployment.reachable()).found.featureCompatibilityVersion, '7.0');
  }
});

test('without a login or the privileges on a member, only the router is used', async (t) => {
  for (const options of [{ hasUser: false }, { privileges: MONITORS }]) {
    const { deployment, found, commands } = await opened(t, options);
    const { facts, arguments: shown } = found;
    assert.deepEqual([facts.includes('stepDown'), shown?.noTableScan], [false, undefined]);
    assert.equal(found.featureCompatibilityVersion, '8.0');
    await deployment.configure({ arguments: { noTableScan: true } });
    assert.deepEqual(commands, []);
    assert.deepEqual((await deployment.reachable()).down, []);
  }
});
