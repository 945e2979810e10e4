import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { UUID } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const $db = 'admin';

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

describe('serverStatus', () => {
  it('reports the called member, its version and time', () => {
    const { host, version, localTime, repl } = cluster.run({ serverStatus: 1, $db }, { member: 'm1' });
    assert.deepEqual(
      [host, version, localTime],
      ['127.0.0.1:27101', '8.0.29', new Date(cluster.clock.now())],
    );
    assert.deepEqual([repl.me, repl.primary, repl.secondary], ['127.0.0.1:27101', '127.0.0.1:27100', true]);
    assert.equal(repl.ismaster, false);
    assert.equal(cluster.run({ serverStatus: 1, $db }, { member: 'm0' }).repl.ismaster, true);
  });

  it('counts collections and views by kind', () => {
    const own = new TestCluster();
    try {
      const before = own.run({ serverStatus: 1, $db }).catalogStats;
      own.run({ create: 'plain' });
      own.run({ create: 'capped', capped: true, size: 4096 });
      own.run({ create: 'clustered', clusteredIndex: { key: { _id: 1 }, unique: true } });
      own.run({ create: 'series', timeseries: { timeField: 't' } });
      own.run({ create: 'view', viewOn: 'plain' });
      own.run({ create: 'internal', $db: 'admin' });
      own.run({ create: 'system.profile' });
      const { catalogStats } = own.run({ serverStatus: 1, $db });
      const added = Object.entries(catalogStats).map(([name, n]) => [name, Number(n) - before[name]]);
      const expected = { collections: 3, capped: 1, clustered: 1, timeseries: 1, views: 1 };
      Object.assign(expected, { internalViews: 0, systemProfile: 1 });
      const { internalCollections, ...counted } = Object.fromEntries(added);
      assert.deepEqual(counted, expected);
      assert.ok(internalCollections >= 1);
    } finally {
      own.remove();
    }
  });

  it('omits optional sections on request, except those that the request names', () => {
    const { locks, metrics, host } = cluster.run({ serverStatus: 1, none: 1, locks: 1, $db });
    assert.deepEqual([locks, metrics, typeof host], [{}, undefined, 'string']);
  });

  it('counts the calls and failures of each command', () => {
    const counts = () => cluster.run({ serverStatus: 1, $db }).metrics.commands.distinct;
    assert.equal(counts(), undefined);
    cluster.run({ distinct: 'c', key: 'a' });
    cluster.run({ distinct: 'c' });
    assert.deepEqual(counts(), { failed: 1n, total: 2n });
  });

  it('counts operations, with each document of an insert', () => {
    const counts = () => cluster.run({ serverStatus: 1, $db }).opcounters;
    const before = counts();
    cluster.run({ insert: 'c', documents: [{}, {}] });
    cluster.run({ insert: 'c' }, { sequences: { documents: [{}, {}, {}] } });
    cluster.run({ find: 'c' });
    const after = counts();
    assert.deepEqual([after.insert - before.insert, after.query - before.query], [5n, 1n]);
  });

  it('counts open transactions on the primary', () => {
    const open = (member: string) => {
      const { currentOpen, currentActive, currentInactive } = cluster.run(
        { serverStatus: 1, $db },
        { member },
      ).transactions;
      return [currentOpen, currentActive, currentInactive];
    };
    const step = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
    cluster.run({ find: 'c', ...step, startTransaction: true });
    assert.deepEqual(
      [open('m0'), open('m1')],
      [
        [1n, 0n, 1n],
        [0n, 0n, 0n],
      ],
    );
    cluster.run({ abortTransaction: 1, ...step, $db });
    assert.deepEqual(open('m0'), [0n, 0n, 0n]);
  });

  it('reports elections and the default concerns', () => {
    const { electionMetrics, defaultRWConcern } = cluster.run({ serverStatus: 1, $db });
    assert.deepEqual(electionMetrics.electionTimeout, { called: 1n, successful: 1n });
    const { localUpdateWallClockTime, ...defaults } = defaultRWConcern;
    assert.ok(localUpdateWallClockTime);
    assert.deepEqual(defaults, {
      defaultReadConcern: { level: 'local' },
      defaultWriteConcern: { w: 'majority', wtimeout: 0 },
      defaultWriteConcernSource: 'implicit',
      defaultReadConcernSource: 'implicit',
    });
    assert.equal(cluster.run({ serverStatus: 1, electionMetrics: 0, $db }).electionMetrics, undefined);
  });

  it('reports the last write', () => {
    cluster.run({ insert: 'c', documents: [{}] });
    const { lastWrite } = cluster.run({ serverStatus: 1, $db }).repl;
    const newest = cluster.run({ find: 'oplog.rs', sort: { $natural: -1 }, $db: 'local' }).cursor
      .firstBatch[0];
    assert.deepEqual(lastWrite.opTime, { ts: newest.ts, t: newest.t });
    assert.deepEqual([lastWrite.majorityOpTime, lastWrite.lastWriteDate], [lastWrite.opTime, newest.wall]);
  });

  it('omits disabled sections, and ignores unknown ones', () => {
    const status = cluster.run({ serverStatus: 1, mem: 0, foo: 1, $db });
    assert.deepEqual([status.mem, status.foo, status.ok], [undefined, undefined, 1]);
  });
});

describe('the host', () => {
  it('hostInfo describes the machine', () => {
    const { system, os, extra } = cluster.run({ hostInfo: 1, $db });
    assert.ok(system.numCores > 0 && system.memSizeMB > 0n && os.type !== '');
    assert.ok(system.numCoresAvailableToProcess > 0 && system.numCoresAvailableToProcess <= system.numCores);
    assert.equal(extra.kernelVersion, os.version);
    assert.ok(extra.versionString !== '' && extra.numPages > 0n);
  });

  it('getCmdLineOpts does not reveal the arguments of the process', () => {
    assert.deepEqual(cluster.run({ getCmdLineOpts: 1, $db }).argv, ['portolan']);
  });

  it('getLog lists its logs', () => {
    assert.deepEqual(cluster.run({ getLog: '*', $db }).names, ['global', 'startupWarnings']);
    assert.deepEqual(cluster.run({ getLog: 'startupWarnings', $db }).log, []);
    assert.equal(cluster.run({ getLog: 'foo', $db }).code, 96);
    assert.equal(cluster.run({ getLog: 1, $db }).code, 14);
  });

  it('getParameter returns the requested parameters', () => {
    const { featureCompatibilityVersion, ...others } = cluster.run({
      getParameter: 1,
      featureCompatibilityVersion: 1,
      $db,
    });
    assert.deepEqual([featureCompatibilityVersion, others], [{ version: '8.0' }, { ok: 1 }]);
    assert.equal(cluster.run({ getParameter: '*', $db }).maxBSONDepth, 200);
    assert.equal(cluster.run({ getParameter: { allParameters: true }, $db }).maxBSONDepth, 200);
    assert.equal(cluster.run({ getParameter: 1, foo: 1, $db }).code, 72);
  });

  it('currentOp includes the caller', () => {
    const { inprog } = cluster.run({ currentOp: 1, $db });
    assert.deepEqual(inprog[0].effectiveUsers, [{ user: 'alice', db: 'admin' }]);
  });

  it('listCommands lists itself', () => {
    const { commands } = cluster.run({ listCommands: 1 });
    assert.deepEqual(commands.listCommands.requiresAuth, false);
    assert.deepEqual(commands.find.apiVersions, ['1']);
    assert.deepEqual([commands.hello.requiresAuth, commands.hello.apiVersions], [false, ['1']]);
    assert.equal(commands.balancerStatus, undefined);
  });

  it('requires more than read privileges', () => {
    const user = { ...admin, roles: [{ role: 'readWrite', database: 'admin' }] };
    for (const name of [
      'serverStatus',
      'hostInfo',
      'getCmdLineOpts',
      'connPoolStats',
      'currentOp',
      'lockInfo',
    ]) {
      assert.equal(cluster.run({ [name]: 1, $db }, { user }).code, 13, name);
      assert.equal(cluster.run({ [name]: 1, $db }).ok, 1, name);
    }
  });

  it('commands of other products are unknown', () => {
    assert.equal(cluster.run({ atlasVersion: 1, $db }).code, 59);
  });
});
