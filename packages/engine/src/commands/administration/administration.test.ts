import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Decimal128, type Document, Int32, Timestamp } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };
const run = (command: Document) => cluster.run({ $db: 'admin', ...command }, { user: root });

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

describe('getParameter and setParameter', () => {
  it('returns parameters by name, all parameters, and details', () => {
    assert.equal(run({ getParameter: 1, logLevel: 1 }).logLevel, 0);
    assert.ok(Object.keys(run({ getParameter: '*' })).length > 50);
    const { quiet } = run({ getParameter: { showDetails: true }, quiet: 1 });
    assert.deepEqual(quiet, { value: false, settableAtRuntime: true, settableAtStartup: true });
    const startup = run({ getParameter: { allParameters: true, setAt: 'startup' } });
    assert.equal(startup.maxSessions, 100_000);
    assert.ok(!('traceExceptions' in startup));
    assert.equal(run({ getParameter: 1 }).code, 72);
  });

  it('sets a settable parameter and returns its old value', () => {
    assert.equal(run({ setParameter: 1, cursorTimeoutMillis: 5000 }).was, 600_000n);
    assert.equal(run({ getParameter: 1, cursorTimeoutMillis: 1 }).cursorTimeoutMillis, 5000n);
    assert.equal(run({ setParameter: 1, quiet: 'yes' }).was, false);
    assert.equal(run({ getParameter: 1, quiet: 1 }).quiet, true);
  });

  const refused: ReadonlyArray<readonly [Document, code: number]> = [
    [{}, 72],
    [{ nothingOfTheKind: 1 }, 72],
    [{ maxSessions: 5 }, 20],
    [{ featureCompatibilityVersion: '8.0' }, 20],
    [{ logLevel: -1 }, 2],
    [{ logLevel: 2 ** 31 }, 2],
    [{ logLevel: '1' }, 2],
    [{ internalInsertMaxBatchSize: 2 ** 31 }, 2],
    [{ automationServiceDescriptor: 12 }, 14],
    [{ automationServiceDescriptor: 'x'.repeat(65) }, 15],
    [{ transactionLifetimeLimitSeconds: 0 }, 2],
    [{ transactionLifetimeLimitSeconds: 'x' }, 2],
    [{ logComponentVerbosity: 3 }, 14],
    [{ logComponentVerbosity: { command: 1, nonsense: 1 } }, 2],
  ];
  for (const [change, code] of refused) {
    it(`rejects ${JSON.stringify(change)} with ${code}`, () => {
      assert.equal(run({ setParameter: 1, ...change }).code, code);
      assert.equal(
        run({ getParameter: 1, logComponentVerbosity: 1 }).logComponentVerbosity.command.verbosity,
        -1,
      );
    });
  }

  it('sets no parameter if the value of another one is invalid', () => {
    const levels = { command: 9 };
    assert.equal(run({ setParameter: 1, logLevel: 3, logComponentVerbosity: levels }).code, 2);
    assert.equal(run({ getParameter: 1, logLevel: 1 }).logLevel, 0);
  });

  it('truncates fractional numbers', () => {
    assert.equal(run({ setParameter: 1, ttlMonitorSleepSecs: 61.9 }).ok, 1);
    assert.equal(run({ getParameter: 1, ttlMonitorSleepSecs: 1 }).ttlMonitorSleepSecs, 61);
  });

  it('changes take effect until the cluster is opened again', () => {
    run({ setParameter: 1, notablescan: true, transactionLifetimeLimitSeconds: 5 });
    assert.equal(run({ getParameter: 1, notablescan: 1 }).notablescan, true);
    cluster.reopen();
    assert.equal(run({ getParameter: 1, notablescan: 1 }).notablescan, false);
  });
});

describe('notablescan', () => {
  it('rejects queries that require a collection scan', () => {
    cluster.run({ insert: 'scanned', documents: [{ _id: 1, a: 1 }] });
    run({ setParameter: 1, notablescan: true });
    const find = (filter: Document) => cluster.run({ find: 'scanned', filter }).code ?? 0;
    assert.deepEqual([find({ a: 1 }), find({}), find({ _id: 1 })], [291, 0, 0]);
    assert.equal(
      cluster.run({ update: 'scanned', updates: [{ q: { a: 1 }, u: { $set: { a: 2 } } }] }).writeErrors[0]
        .code,
      291,
    );
    run({ setParameter: 1, notablescan: false });
    assert.equal(find({ a: 1 }), 0);
  });
});

describe('cluster parameters', () => {
  const images = () => run({ getClusterParameter: 'changeStreamOptions' }).clusterParameters[0];

  it('keep their values with their times across a restart', () => {
    const set = { changeStreamOptions: { preAndPostImages: { expireAfterSeconds: 60 } } };
    assert.equal(run({ setClusterParameter: set }).ok, 1);
    cluster.reopen();
    const { clusterParameterTime, ...found } = images();
    assert.deepEqual(found, { _id: 'changeStreamOptions', preAndPostImages: { expireAfterSeconds: 60n } });
    assert.ok(clusterParameterTime instanceof Timestamp);
  });

  const refused: ReadonlyArray<readonly [unknown, code: number]> = [
    [{ nothingOfTheKind: {} }, 4],
    [{ changeStreams: 5 }, 20],
    [{ changeStreams: 'x' }, 2],
    [{}, 4],
    [{ changeStreamOptions: {} }, 2],
    [{ changeStreamOptions: { preAndPostImages: null } }, 2],
    [{ changeStreamOptions: { preAndPostImages: { expireAfterSeconds: true } } }, 2],
    [{ changeStreamOptions: { $bad: 1 } }, 52],
    [{ changeStreams: {}, defaultMaxTimeMS: {} }, 72],
    [{ changeStreams: { nonsense: 1 } }, 40415],
    [{ changeStreams: { expireAfterSeconds: 0 } }, 2],
    [{ changeStreamOptions: { preAndPostImages: { expireAfterSeconds: 'on' } } }, 2],
  ];
  for (const [given, code] of refused) {
    it(`rejects ${JSON.stringify(given)} with ${code}`, () => {
      assert.equal(run({ setClusterParameter: given }).code, code);
    });
  }

  it('reports error 4 for an unknown name', () => {
    assert.equal(run({ getClusterParameter: ['changeStreams', 'nonsense'] }).code, 4);
    assert.equal(run({ getClusterParameter: [] }).code, 2);
  });
});

describe('default concerns', () => {
  it('are the server’s until changed', () => {
    const { defaultReadConcernSource, defaultWriteConcern } = run({ getDefaultRWConcern: 1 });
    assert.deepEqual(
      [defaultReadConcernSource, defaultWriteConcern],
      ['implicit', { w: 'majority', wtimeout: 0 }],
    );
  });

  it('are stored, and the write concern cannot be unset', () => {
    run({
      setDefaultRWConcern: 1,
      defaultReadConcern: { level: 'majority' },
      defaultWriteConcern: { w: 2.7 },
    });
    cluster.reopen();
    const set = run({ getDefaultRWConcern: 1 });
    assert.deepEqual(set.defaultReadConcern, { level: 'majority' });
    assert.deepEqual(set.defaultWriteConcern, { w: 2, wtimeout: 0 });
    assert.equal(run({ setDefaultRWConcern: 1, defaultWriteConcern: {} }).code, 20);
    assert.equal(
      run({ setDefaultRWConcern: 1, defaultReadConcern: {} }).defaultReadConcernSource,
      'implicit',
    );
    assert.equal(run({ setDefaultRWConcern: 1, defaultReadConcern: { level: 'snapshot' } }).code, 2);
    assert.equal(run({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 0 } }).code, 2);
    assert.equal(run({ setDefaultRWConcern: 1 }).code, 2);
    for (const concern of [{ wtimeout: 100 }, { j: true }]) {
      assert.equal(run({ setDefaultRWConcern: 1, defaultWriteConcern: concern }).code, 2);
    }
    const own = { defaultReadConcern: { level: 'local' }, writeConcern: { w: 'nobody' } };
    assert.equal(run({ setDefaultRWConcern: 1, ...own }).code, 79);
  });
});

describe('setFeatureCompatibilityVersion', () => {
  it('requires confirmation, and accepts only its own version and its predecessor', () => {
    assert.equal(run({ setFeatureCompatibilityVersion: '7.0' }).code, 7369100);
    assert.equal(run({ setFeatureCompatibilityVersion: '6.0', confirm: true }).code, 4926900);
    assert.equal(run({ setFeatureCompatibilityVersion: '7.0', confirm: true }).ok, 1);
    cluster.reopen();
    const { featureCompatibilityVersion } = run({ getParameter: 1, featureCompatibilityVersion: 1 });
    assert.deepEqual(featureCompatibilityVersion, { version: '7.0' });
  });
});

describe('locks', () => {
  it('fsync with lock blocks writes until fsyncUnlock', () => {
    const { lockCount, seeAlso } = run({ fsync: 1, lock: true });
    assert.deepEqual([lockCount, seeAlso], [1n, 'http://dochub.mongodb.org/core/fsynccommand']);
    const waiting = cluster.send({ insert: 'c', documents: [{ _id: 1 }] });
    cluster.worker.runTurn();
    const answer = () => waiting.reply;
    assert.equal(answer(), undefined);
    assert.equal(cluster.documents('c').length, 0);
    assert.equal(run({ currentOp: 1 }).fsyncLock, true);
    const [found] = run({ currentOp: 1, 'command.insert': 'c' }).inprog;
    assert.deepEqual([found.waitingForLock, found.locks.Global], [true, 'w']);
    assert.equal(run({ fsyncUnlock: 1 }).lockCount, 0n);
    assert.equal(run({ currentOp: 1 }).fsyncLock, undefined);
    cluster.worker.runTurn();
    assert.equal(answer()?.n, 1);
    assert.equal(run({ fsyncUnlock: 1 }).code, 20);
  });

  it('fsync with lock does not extend the time limit of a write', () => {
    run({ fsync: 1, lock: true });
    const waiting = cluster.send({ insert: 'c', documents: [{ _id: 2 }], maxTimeMS: 50 });
    const killed = cluster.send({ insert: 'c', documents: [{ _id: 3 }] });
    cluster.worker.runTurn();
    cluster.clock.advance(100);
    cluster.worker.runTurn();
    const { inprog } = run({ currentOp: 1, 'command.insert': 'c' });
    assert.deepEqual([waiting.reply?.code, inprog.length], [50, 1]);
    run({ killOp: 1, op: inprog[0].opid });
    cluster.worker.runTurn();
    assert.equal(killed.reply?.code, 11601);
    run({ fsyncUnlock: 1 });
  });

  it('setUserWriteBlockMode rejects writes of users', () => {
    assert.equal(run({ setUserWriteBlockMode: 1, global: true }).ok, 1);
    assert.equal(cluster.run({ insert: 'c', documents: [{}] }).code, 371);
    assert.equal(cluster.run({ find: 'c' }).ok, 1);
    const reason = 'DiskUseThresholdExceeded';
    assert.equal(run({ setUserWriteBlockMode: 1, global: false, reason }).code, 20);
    assert.equal(run({ setUserWriteBlockMode: 1, global: false }).ok, 1);
    assert.equal(cluster.run({ insert: 'c', documents: [{}] }).ok, 1);
  });

  it('fsync accepts an int32 as timeout only', () => {
    assert.equal(run({ fsync: 1, fsyncLockAcquisitionTimeoutMillis: new Int32(5) }).numFiles, 1);
    assert.equal(run({ fsync: 1, fsyncLockAcquisitionTimeoutMillis: Decimal128.fromString('5') }).code, 14);
  });
});

describe('profile', () => {
  const profile = (more: Document) => cluster.run({ ...more }, { user: root });

  it('returns the previous settings, and has separate levels per database', () => {
    assert.deepEqual(profile({ profile: 1, slowms: 50, sampleRate: 0.5 }), {
      was: 0,
      slowms: 100,
      sampleRate: 1,
      ok: 1,
    });
    assert.equal(profile({ profile: -1 }).was, 1);
    assert.equal(profile({ profile: -1, $db: 'other' }).was, 0);
    assert.equal(profile({ profile: 7 }).was, 1);
    assert.equal(profile({ profile: 0, slowms: 100, sampleRate: 1.5 }).code, 2);
    assert.equal(profile({ profile: 0, filter: 'set' }).code, 2);
    profile({ profile: 2, filter: { op: 'query' } });
    assert.deepEqual(profile({ profile: 0, filter: 'unset' }).filter, { op: { $eq: 'query' } });
  });
});

describe('commands about the process', () => {
  const run = (command: Document) => cluster.run({ ...command, $db: 'admin' }, { user: root });

  it('dropConnections parses hosts as the server does', () => {
    const drop = (...hostAndPort: string[]) => run({ dropConnections: 1, hostAndPort });
    assert.equal(drop('a', 'a:1', '[::1]:27017').ok, 1);
    for (const host of ['', ':1', 'a:', 'a:0', 'a:65536', 'a:-1', 'a:b', 'a:1:2']) {
      assert.equal(drop(host).code, 9, host);
    }
  });

  it('autoCompact keeps its configuration until it is switched off', () => {
    const compact = (more: Document) => run({ autoCompact: true, ...more });
    assert.equal(compact({ freeSpaceTargetMB: 30 }).ok, 1);
    assert.equal(compact({ freeSpaceTargetMB: 30 }).ok, 1);
    assert.equal(compact({ freeSpaceTargetMB: 50 }).code, 23);
    assert.equal(compact({ freeSpaceTargetMB: 30, runOnce: true }).code, 23);
    assert.equal(run({ autoCompact: false }).ok, 1);
    assert.equal(compact({ runOnce: true }).ok, 1);
    assert.equal(compact({ freeSpaceTargetMB: 50 }).ok, 1);
    assert.equal(run({ autoCompact: false }).ok, 1);
  });

  it('lockInfo reports the lock of fsync', () => {
    assert.deepEqual(run({ lockInfo: 1 }).lockInfo, []);
    run({ fsync: 1, lock: true });
    assert.deepEqual(Object.keys(run({ lockInfo: 1 }).lockInfo[0]), ['resourceId', 'granted', 'pending']);
    run({ fsyncUnlock: 1 });
  });

  it('compactStructuredEncryptionData requires a collection name', () => {
    const compaction = { compactStructuredEncryptionData: '', compactionTokens: {} };
    assert.equal(run({ ...compaction, $db: 'test' }).code, 73);
  });

  it('autoCompact accepts a target whose byte count fits 64 bits', () => {
    const compact = (autoCompact: boolean, freeSpaceTargetMB: bigint) =>
      run({ autoCompact, freeSpaceTargetMB });
    assert.equal(compact(true, 2n ** 43n - 1n).ok, 1);
    assert.equal(compact(true, 2n ** 43n).code, 2);
    assert.equal(compact(false, 2n ** 43n).ok, 1);
  });

  it('logRotate accepts the audit log if auditing is enabled', () => {
    assert.equal(run({ logRotate: 'audit' }).code, 4);
  });
});
