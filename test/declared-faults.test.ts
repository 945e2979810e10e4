import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { backedUp } from './support/backups.ts';
import { bearer } from './support/client.ts';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { onOneSetup } from './support/setups.ts';
import { clusterBody, idIn, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

const FAULTS = '/operator/v1/faults';

interface FaultDocument {
  readonly id: string;
  readonly calls: number;
  readonly met: number;
  readonly seed: number;
}

onOneSetup(
  'PostgreSQL, two instances',
  'declared faults',
  (setup) => {
    /** Declares a fault that is deleted at the end of the test. */
    async function declare(t: TestContext, rule: object): Promise<FaultDocument> {
      const fault = expectStatus<FaultDocument>(await setup.operator.post(FAULTS, rule), 201);
      t.after(() => setup.operator.delete(`${FAULTS}/${fault.id}`));
      return fault;
    }

    const read = async ({ id }: FaultDocument) =>
      expectStatus<FaultDocument>(await setup.operator.get(`${FAULTS}/${id}`), 200);

    /**
     * Sends requests until the fault has been triggered a number of times, since instances take up to a second to
     * notice a new fault. Returns the replies.
     */
    async function untilMet(
      fault: FaultDocument,
      times: number,
      ask: () => Promise<Reply>,
    ): Promise<Reply[]> {
      const replies: Reply[] = [];
      await until(
        `${times} answers of the fault`,
        async () => {
          replies.push(await ask());
          return (await read(fault)).met;
        },
        (met) => met >= times,
      );
      return replies;
    }

    const isDeclared = ({ headers }: Reply) => headers.has('x-declared-fault');

    test('return errors for the first calls over all instances, with their id', async (t) => {
      const project = await newProject(setup);
      const groupId = idIn(project);
      const request = { operations: ['getProject'], status: 429, retryAfterSeconds: 7 };
      const fault = await declare(t, { groupId, times: 3, request });
      const replies = await untilMet(fault, 3, () => setup.owner.get(project));
      const faulty = replies.filter(isDeclared);
      assert.equal(faulty.length, 3);
      for (const reply of faulty) {
        expectFault(reply, 429, 'RATE_LIMITED');
        assert.equal(reply.headers.get('retry-after'), '7');
        assert.equal(reply.headers.get('x-declared-fault'), fault.id);
      }
      for (const _ of setup.instances) expectStatus(await setup.owner.get(project), 200);
      expectStatus(await setup.owner.get(await newProject(setup)), 200);
    });

    test('can select a tag, return any status and code, and prevent the operation', async (t) => {
      const project = await newProject(setup);
      const request = {
        operations: ['Clusters'],
        status: 507,
        errorCode: 'OUT_OF_SHIPS',
        delayMilliseconds: 20,
      };
      const fault = await declare(t, { groupId: idIn(project), request });
      const [last] = (await untilMet(fault, 1, () => setup.owner.get(`${project}/clusters`))).slice(-1);
      assert.ok(last);
      expectFault(last, 507, 'OUT_OF_SHIPS');
      const created = () => setup.owner.post(`${project}/clusters`, clusterBody('x'));
      // Wait, since the other instance may not have noticed the fault yet.
      await until(
        'a refusal everywhere',
        async () => [await created(), await created()],
        (all) => all.every(isDeclared),
      );
      await setup.operator.delete(`${FAULTS}/${fault.id}`);
      await until(
        'its end',
        () => setup.owner.get(`${project}/clusters`),
        (reply) => reply.status === 200,
      );
    });

    test('close connections before or after the operation', async (t) => {
      const project = await newProject(setup);
      const entries = `${project}/accessList`;
      const count = async () => expectStatus<ListDocument>(await setup.owner.get(entries), 200).totalCount;
      for (const [disconnect, ipAddress, there] of [
        ['BEFORE', '10.0.0.1', 0],
        ['AFTER', '10.0.0.2', 1],
      ] as const) {
        const request = { operations: ['createProjectIpAccessList'], disconnect };
        const fault = await declare(t, { groupId: idIn(project), times: setup.instances.length, request });
        let cut = 0;
        await until(
          'cut connections',
          async () => {
            if ((await read(fault)).met === setup.instances.length) return true;
            const before = await count();
            await setup.owner.post(entries, [{ ipAddress }]).catch(({ code }) => {
              assert.match(code, /ECONNRESET|EPIPE/);
              cut++;
            });
            // The request was served by an instance that had not noticed the fault yet.
            if ((await read(fault)).met === 0 && before === 0)
              await setup.owner.delete(`${entries}/${ipAddress}`);
            return false;
          },
          (done) => done,
        );
        assert.equal(cut, setup.instances.length);
        const found = await setup.owner.get(`${entries}/${ipAddress}`);
        assert.equal(found.status, there === 1 ? 200 : 404, disconnect);
      }
    });

    test('apply to the calls that a seed selects, on whichever instance', async (t) => {
      const project = await newProject(setup);
      const rule = { groupId: idIn(project), probability: 0.5, request: { operations: ['*'], status: 500 } };
      const patterns: string[] = [];
      for (let round = 0; round < 2; round++) {
        const fault = await declare(t, { ...rule, seed: 1852 });
        let pattern = '';
        while (pattern.length < 24) {
          const { calls } = await read(fault);
          const reply = await setup.owner.get(project);
          if ((await read(fault)).calls > calls) pattern += isDeclared(reply) ? 'x' : '.';
        }
        patterns.push(pattern);
        expectStatus(await setup.operator.delete(`${FAULTS}/${fault.id}`), 204);
      }
      assert.equal(patterns[0], patterns[1]);
      assert.match(patterns[0] ?? '', /x\.|\.x/);
      const { seed } = await declare(t, rule);
      assert.equal(typeof seed, 'number', 'the response contains the random seed');
    });

    test('hold a cluster in CREATING until they end, and let snapshots fail', async (t) => {
      const project = await newProject(setup);
      const groupId = idIn(project);
      const held = await declare(t, {
        groupId,
        clusterName: 'slow',
        work: { kinds: ['CLUSTER_CHANGE'], outcome: 'HELD' },
      });
      const slow = `${project}/clusters/slow`;
      expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('slow')), 201);
      const quick = await newCluster(setup, project, 'quick', backedUp);
      await until(
        'two tries',
        () => read(held),
        ({ met }) => met >= 2,
      );
      assert.equal(expectStatus(await setup.owner.get(slow), 200).stateName, 'CREATING');
      expectStatus(await setup.operator.delete(`${FAULTS}/${held.id}`), 204);
      await idle(setup.owner, slow);

      const failing = await declare(t, { groupId, work: { kinds: ['SNAPSHOT'], outcome: 'FAILED' } });
      const snapshots = `${quick}/backup/snapshots`;
      const { id } = expectStatus<{ id: string }>(await setup.owner.post(snapshots, {}), 200);
      await until(
        'its end',
        async () => expectStatus(await setup.owner.get(`${snapshots}/${id}`), 200),
        ({ status }) => status === 'failed',
      );
      assert.equal((await read(failing)).met, 1);
      const path = `${project}/events?eventType=CPS_SNAPSHOT_FAILED`;
      const { results } = expectStatus<ListDocument>(await setup.owner.get(path), 200);
      assert.deepEqual(
        results.map(({ reason }) => reason),
        ['a declared fault'],
      );
    });

    test('apply to driver commands, and force elections', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'fleet');
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster, { retryReads: false, retryWrites: false });
      t.after(() => driver.close());
      const ports = driver.db('harbour').collection('ports');
      const place = { groupId: idIn(project), clusterName: 'fleet' };
      const failing = { commands: ['find'], errorCode: 11_601 };
      await declare(t, { ...place, times: 1, wire: failing });
      const broken = await until(
        'a fault',
        () => ports.findOne({}).then(() => undefined, Object),
        (error) => error !== undefined,
      );
      assert.deepEqual([broken.code, broken.message], [11_601, 'The operator declared this fault']);
      await ports.findOne({});
      const cut = await declare(t, { ...place, wire: { commands: ['insert'], closeConnection: true } });
      const lost = await until(
        'a cut',
        () => ports.insertOne({}).then(() => undefined, Object),
        (error) => error !== undefined,
      );
      assert.match(lost.name, /Network/);
      await ports.findOne({});
      expectStatus(await setup.operator.delete(`${FAULTS}/${cut.id}`), 204);
      await until(
        'its end',
        () =>
          ports.insertOne({}).then(
            () => true,
            () => false,
          ),
        (done) => done,
      );
      const hello = async () => (await driver.db('admin').command({ hello: 1 })).primary;
      const before = await hello();
      expectStatus(await setup.operator.post(`/operator/v1${cluster}/elections`, ''), 204);
      await until(
        'another primary',
        () => hello().catch(() => before),
        (primary) => primary !== before,
      );
      expectFault(
        await setup.operator.post(FAULTS, { ...place, clusterName: 'x', wire: failing }),
        404,
        'CLUSTER_NOT_FOUND',
        ['x', place.groupId],
      );
      expectFault(await setup.operator.post(FAULTS, { wire: failing }), 400, 'MISSING_ATTRIBUTE', [
        'clusterName',
      ]);
    });

    test('delay driver commands, and apply to those that a seed selects', async (t) => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'fleet');
      await allowAccess(setup, project, cluster);
      const driver = await driverFor(setup, cluster, { retryReads: false });
      t.after(() => driver.close());
      const ports = driver.db('harbour').collection('ports');
      const place = { groupId: idIn(project), clusterName: 'fleet' };
      const fails = (asked: Promise<unknown>) =>
        asked.then(
          () => false,
          () => true,
        );
      /**
       * Declares `rule` and then a fault that makes `ping` fail, and runs `look` once `ping` fails. Nodes get all
       * faults of a cluster at once, so `rule` is active by then.
       */
      async function during(rule: object, look: () => Promise<void>): Promise<void> {
        const ping = { commands: ['ping'], errorCode: 11_601 };
        const declared = [
          await declare(t, { ...place, ...rule }),
          await declare(t, { ...place, wire: ping }),
        ];
        const isActive = (isTold: boolean) =>
          until(
            'that nodes know the faults',
            () => fails(driver.db('harbour').command({ ping: 1 })),
            (failed) => failed === isTold,
          );
        await isActive(true);
        await look();
        for (const { id } of declared) expectStatus(await setup.operator.delete(`${FAULTS}/${id}`), 204);
        await isActive(false);
      }

      const delayMilliseconds = 300;
      await during({ wire: { commands: ['find'], delayMilliseconds } }, async () => {
        const begun = performance.now();
        await ports.findOne({});
        // Accept 5 ms less than the delay, because the clocks of two processes may round differently.
        assert.ok(performance.now() - begun >= delayMilliseconds - 5);
      });
      const failing = { commands: ['find'], errorCode: 11_601 };
      const patterns: string[] = [];
      for (const seed of [1852, 1852, 1853])
        await during({ probability: 0.5, seed, wire: failing }, async () => {
          let pattern = '';
          while (pattern.length < 24) pattern += (await fails(ports.findOne({}))) ? 'x' : '.';
          patterns.push(pattern);
        });
      assert.equal(patterns[0], patterns[1]);
      assert.notEqual(patterns[0], patterns[2]);
      assert.match(patterns[0] ?? '', /x\.|\.x/);
    });

    test('are reserved to the operator, and validated', async () => {
      const request = { operations: ['getProject'], status: 500 };
      for (const client of [setup.owner, setup.clientWith(bearer('x'))]) {
        for (const reply of [await client.post(FAULTS, { request }), await client.get(FAULTS)])
          expectFault(reply, 401, 'UNAUTHORIZED');
      }
      for (const [rule, code, parameters] of [
        [{}, 'MISSING_ONE_OF_THREE_ATTRIBUTES', ['request', 'wire', 'work']],
        [{ request, clusterName: 'x' }, 'MISSING_ATTRIBUTE', ['groupId']],
        [
          { request: { operations: ['getProject'] } },
          'MISSING_ONE_OF_THREE_ATTRIBUTES',
          ['request.delayMilliseconds', 'request.disconnect', 'request.status'],
        ],
        [{ request: { ...request, disconnect: 'AFTER' } }, 'INVALID_ATTRIBUTE', ['request.status']],
        [
          { request: { operations: ['*'], disconnect: 'AFTER', errorCode: 'X' } },
          'MISSING_ATTRIBUTE',
          ['request.status'],
        ],
        [{ request: { ...request, operations: ['getShip'] } }, 'INVALID_ATTRIBUTE', ['request.operations.0']],
        // The operator's own operations are exempt from faults. Otherwise, nobody could end the fault.
        [
          { request: { ...request, operations: ['getClock'] } },
          'INVALID_ATTRIBUTE',
          ['request.operations.0'],
        ],
      ] as const) {
        expectFault(await setup.operator.post(FAULTS, rule), 400, code, parameters);
      }
      expectFault(await setup.operator.get(`${FAULTS}/x`), 404, 'FAULT_NOT_FOUND', ['x']);
      expectFault(await setup.operator.delete(`${FAULTS}/x`), 404, 'FAULT_NOT_FOUND', ['x']);
    });

    test('are logged', async (t) => {
      const project = await newProject(setup);
      const request = { operations: ['getProject'], status: 503 };
      const fault = await declare(t, { groupId: idIn(project), request });
      await untilMet(fault, 1, () => setup.owner.get(project));
      const log = setup.instances.map((instance) => instance.log()).join('');
      for (const words of ['a fault was declared', 'a declared fault was injected into a request']) {
        const line = log.split('\n').find((text) => text.includes(words) && text.includes(fault.id));
        assert.match(line ?? '', /"level":40/, words);
      }
    });
  },
  { expectedErrors: /a declared fault/ },
);
