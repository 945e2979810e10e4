import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from './support/client.ts';
import { digest } from './support/client.ts';
import type { KeyPair } from './support/digest.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup, own, type Setup } from './support/setups.ts';
import { idIn, idle, newCluster, newProject } from './support/stage.ts';

interface Answer {
  readonly isCut: boolean;
  readonly reply: {
    readonly cursor?: { readonly firstBatch: readonly unknown[] };
    readonly [field: string]: unknown;
  };
}

const KB = 1024;

/** Creates a key with one role in a project. */
async function keyWith(setup: Setup, project: string, role: string): Promise<Client> {
  const made = await setup.owner.post(`${project}/apiKeys`, { desc: role, roles: [role] });
  const pair = expectStatus<KeyPair>(made, 200);
  setup.keepOutOfLogs(pair.privateKey);
  return setup.clientWith(digest(pair));
}

/** Returns a function that sends commands to the databases of a cluster. */
function commandsTo(cluster: string) {
  const send = (client: Client, command: object, database = 'harbour') =>
    client.post(`${cluster}/commands`, { database, command });
  return {
    send,
    run: async (client: Client, command: object, database?: string) =>
      expectStatus<Answer>(await send(client, command, database), 200),
    refused: async (client: Client, command: object, codeName: string) => {
      const { parameters } = expectStatus<{ parameters: unknown[] }>(await send(client, command), 400);
      assert.equal(parameters[0], codeName);
    },
  };
}

onOneSetup('PostgreSQL, two instances', 'database commands through the API', (setup) => {
  test('run with the rights of the data access role, within bounds', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'harbour');
    const { run, send, refused } = commandsTo(cluster);
    const keys = ['GROUP_READ_ONLY', 'GROUP_DATA_ACCESS_READ_ONLY', 'GROUP_DATA_ACCESS_READ_WRITE'];
    const [visitor, reader, writer] = await Promise.all(keys.map((role) => keyWith(setup, project, role)));
    assert.ok(visitor && reader && writer);

    expectFault(await send(visitor, { find: 'ships' }), 401, 'USER_UNAUTHORIZED');
    const ship = { _id: { $oid: '0123456789abcdef01234567' }, built: { $date: '1999-12-31T00:00:00.000Z' } };
    const documents = [{ ...ship, tons: { $numberDouble: '5.0' } }];
    assert.equal((await run(writer, { insert: 'ships', documents })).reply.n, 1);
    assert.deepEqual((await run(reader, { find: 'ships', filter: { _id: ship._id } })).reply.cursor, {
      firstBatch: documents,
      id: 0,
      ns: 'harbour.ships',
    });
    const unsorted = { _id: 'unsorted', tons: 5, name: 'Aurora', crew: { mates: 2, links: 1 } };
    await run(writer, { insert: 'ships', documents: [unsorted] });
    const [found] =
      (await run(reader, { find: 'ships', filter: { _id: 'unsorted' } })).reply.cursor?.firstBatch ?? [];
    assert.equal(JSON.stringify(found), JSON.stringify(unsorted));
    await run(writer, { delete: 'ships', deletes: [{ q: { _id: 'unsorted' }, limit: 1 }] });
    const twice = await run(writer, { insert: 'ships', documents });
    assert.partialDeepStrictEqual(twice.reply.writeErrors, [{ code: 11_000 }]);

    await refused(reader, { insert: 'ships', documents: [{}] }, 'Unauthorized');
    await refused(reader, { aggregate: 'ships', pipeline: [{ $out: 'boats' }] }, 'Unauthorized');
    await refused(reader, { aggregate: 'ships', pipeline: [{ $merge: 'boats' }] }, 'Unauthorized');
    await refused(reader, { explain: { delete: 'ships', deletes: [{ q: {}, limit: 0 }] } }, 'Unauthorized');
    await refused(writer, { find: 'ships', filter: { $sail: 1 } }, 'BadValue');
    expectFault(await send(setup.owner, { drop: 'ships' }), 400, 'DATABASE_COMMAND_NOT_OFFERED', ['drop']);
    const oid = await send(writer, { find: 'ships', filter: { _id: { $oid: 'x' } } });
    expectFault(oid, 400, 'INVALID_ATTRIBUTE', ['command']);
    const typed = await send(writer, { insert: 'ships', documents: [{ a: { _bsontype: 'Long' } }] });
    expectFault(typed, 400, 'INVALID_ATTRIBUTE', ['command']);

    const update = { q: { _id: ship._id }, u: { $set: { name: 'Aurora' } } };
    assert.equal((await run(writer, { update: 'ships', updates: [update] })).reply.nModified, 1);
    assert.deepEqual((await run(reader, { distinct: 'ships', key: 'name' })).reply.values, ['Aurora']);
    const index = { key: { name: 1 }, name: 'name_1' };
    await run(setup.owner, { createIndexes: 'ships', indexes: [index] });
    const { reply } = await run(reader, { explain: { find: 'ships', filter: { name: 'Aurora' } } });
    assert.match(JSON.stringify(reply), /"IXSCAN"/);
    const listed = await run(reader, { listIndexes: 'ships' });
    assert.match(JSON.stringify(listed.reply), /name_1/);
    await run(setup.owner, { dropIndexes: 'ships', index: 'name_1' });
    assert.match(JSON.stringify((await run(reader, { listDatabases: 1 }, 'admin')).reply), /harbour/);
    await run(writer, { delete: 'ships', deletes: [{ q: {}, limit: 0 }] });
    assert.equal((await run(reader, { count: 'ships' })).reply.n, 0);
  });

  test('return part of a long result, and leave no cursor open', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'harbour');
    const { run, send } = commandsTo(cluster);
    const { owner } = setup;
    const batch = ({ reply }: Answer) => reply.cursor?.firstBatch.length;
    const documents = Array.from({ length: 1200 }, (_, n) => ({ n }));
    await run(owner, { insert: 'many', documents });
    for (const command of [{ find: 'many' }, { aggregate: 'many', pipeline: [] }]) {
      const answer = await run(owner, command);
      assert.deepEqual([batch(answer), answer.isCut], [1000, true]);
    }
    const exact = await run(owner, { find: 'many', limit: 1000 });
    assert.deepEqual([batch(exact), exact.isCut], [1000, false]);
    const { reply } = await run(
      owner,
      { aggregate: 1, pipeline: [{ $currentOp: { idleCursors: true } }] },
      'admin',
    );
    assert.doesNotMatch(JSON.stringify(reply), /"type":"idleCursor"/);
    const double = {
      $function: { body: 'function(n) { return "x".repeat(n) }', args: [100 * KB], lang: 'js' },
    };
    const wide = await run(owner, {
      aggregate: 'many',
      pipeline: [{ $limit: 60 }, { $project: { _id: 0, text: double } }],
    });
    assert.deepEqual([batch(wide), wide.isCut], [40, true]);
    const slow = { $where: 'function() { for (;;); }' };
    // The service waits five seconds longer than `maxTimeMS` and then responds with 504. On a busy machine, the host
    // may need more time than that, so try again.
    const late = () => send(owner, { find: 'many', filter: slow, maxTimeMS: 100 });
    const expired = await until('a response of the host', late, ({ status }) => status !== 504);
    assert.deepEqual(expectStatus<{ parameters: unknown[] }>(expired, 400).parameters[0], 'MaxTimeMSExpired');

    expectStatus(await owner.patch(cluster, { paused: true }), 200);
    await idle(owner, cluster);
    const paused = await send(owner, { find: 'many' });
    assert.equal(expectStatus<{ errorCode: string }>(paused, 409).errorCode, 'DATABASE_NOT_AVAILABLE');
    const absent = await owner.post(`${project}/clusters/absent/commands`, { database: 'a', command: {} });
    expectFault(absent, 404, 'CLUSTER_NOT_FOUND', ['absent', idIn(project)]);
  });
});

own.onOneSetup('SQLite, one instance', 'a database whose host hangs', (setup) => {
  test('is reported after the time limit of the command and five seconds', async (t) => {
    const project = await newProject(setup);
    const { send, run } = commandsTo(await newCluster(setup, project, 'harbour'));
    const command = { insert: 'ships', documents: [{ _id: 1 }], maxTimeMS: 100 };
    const hosts = setup.instances.map((instance) => instance.hostPid());
    const goOn = () => {
      for (const pid of hosts) process.kill(pid, 'SIGCONT');
    };
    t.after(goOn);
    for (const pid of hosts) process.kill(pid, 'SIGSTOP');
    expectFault(await send(setup.owner, command), 504, 'DATABASE_NOT_RESPONDING', ['harbour', 5.1]);
    goOn();
    assert.equal((await run(setup.owner, { count: 'ships' })).reply.ok, 1);
  });
});
