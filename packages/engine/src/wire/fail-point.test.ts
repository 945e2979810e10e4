import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { type Document, deserialize, serialize } from 'bson';
import { FailPoints } from './fail-point.ts';
import { labelled, noFailure, withWriteConcernError } from './fail-point-answers.ts';

const members = ['a', 'b', 'c'];
/** Returns the sections of a message with one command. */
const sectionsOf = (body: Document) => Buffer.concat([Buffer.of(0), serialize(body)]);
const match = (points: FailPoints, body: Document, member = 'a') => {
  const [command = ''] = Object.keys(body);
  return points.match(member, { command, appName: undefined, sections: sectionsOf(body), members });
};

describe('fail points', () => {
  it('of one member have separate modes and counts', () => {
    const points = new FailPoints(systemRandom());
    const configure = (name: string, mode: unknown, data: Document = {}) =>
      points.configure('a', { configureFailPoint: name, mode, data });
    assert.equal(points.any, false);
    configure('failCommand', { times: 1 }, { failCommands: ['PING'], errorCode: 5 });
    configure('maxTimeAlwaysTimeOut', { skip: 1 });
    assert.equal(points.any, true);
    assert.equal(match(points, { ping: 1 }, 'b'), undefined);
    assert.deepEqual(match(points, { ping: 1 })?.error?.().code, 5);
    assert.equal(match(points, { ping: 1 }), undefined);
    assert.equal(match(points, { find: 'c', maxTimeMS: 5 }), undefined);
    assert.equal(match(points, { find: 'c', maxTimeMS: 5 })?.error?.().code, 50);
    assert.equal(match(points, { find: 'c' }), undefined);
    assert.deepEqual(configure('failCommand', 'off'), { count: 1 });
    assert.deepEqual(configure('maxTimeAlwaysTimeOut', 'off'), { count: 1 });
    assert.equal(points.any, false);
  });

  it('fail with the given probability', () => {
    const drawn = [0.3, 0.2, 0.9];
    const points = new FailPoints({ ...systemRandom(), fraction: () => drawn.shift() ?? 1 });
    const mode = { activationProbability: 0.25 };
    const data = { failCommands: ['ping'], errorCode: 5 };
    points.configure('a', { configureFailPoint: 'failCommand', mode, data });
    const failed = [1, 2, 3].map(() => match(points, { ping: 1 }) !== undefined);
    assert.deepEqual(failed, [false, true, false]);
    assert.deepEqual(points.configure('a', { configureFailPoint: 'failCommand', mode: 'off' }), { count: 1 });
  });

  it('fail as the seed of a declared probability determines', () => {
    const failed = (seed: number) => {
      const points = new FailPoints(systemRandom());
      points.declare([
        { id: 'a', commands: ['ping'], errorCode: 5, skip: 2, times: 8, probability: 0.5, seed },
      ]);
      return Array.from({ length: 24 }, () => (match(points, { ping: 1 }) === undefined ? '.' : 'x')).join(
        '',
      );
    };
    assert.equal(failed(1852), failed(1852));
    assert.match(failed(1852), /^\.\.[.x]*\.x/);
    assert.equal(failed(1852).replaceAll('.', '').length, 8);
    assert.notEqual(failed(1852), failed(1853));
  });

  it('reject an invalid mode', () => {
    const invalid: Array<[unknown, number]> = [
      [undefined, 20],
      ['sometimes', 2],
      [1, 14],
      [{}, 2],
      [{ times: -1 }, 2],
      [{ times: 2 ** 31 }, 2],
      [{ skip: -1 }, 2],
      [{ skip: 'one' }, 14],
      [{ activationProbability: 1.5 }, 2],
      [{ activationProbability: '1' }, 14],
    ];
    for (const [mode, code] of invalid) {
      const points = new FailPoints(systemRandom());
      const configure = () => points.configure('a', { configureFailPoint: 'failCommand', mode });
      assert.throws(configure, { code }, JSON.stringify(mode));
    }
  });

  it('stop replication to members, so that write concerns that need them fail after their time limit', () => {
    const points = new FailPoints(systemRandom());
    for (const member of ['b', 'c']) {
      points.configure(member, { configureFailPoint: 'stopReplProducer', mode: 'alwaysOn' });
    }
    const write = (writeConcern: Document) => match(points, { insert: 'c', writeConcern });
    const { blockMs, writeConcernError } = write({ w: 3, wtimeout: 10 }) ?? {};
    assert.deepEqual([blockMs, writeConcernError?.code], [10, 64]);
    assert.equal(write({ w: 'majority', wtimeout: 10 })?.writeConcernError?.code, 64);
    assert.equal(write({ w: 1, wtimeout: 10 }), undefined);
    assert.equal(write({ w: 4, wtimeout: 10 }), undefined);
    points.configure('b', { configureFailPoint: 'stopReplProducer', mode: 'off' });
    assert.equal(write({ w: 2, wtimeout: 10 }), undefined);
  });

  it('add a write concern error to an unchanged reply, with the label of writes only', () => {
    const answer = serialize({ n: 1, ok: 1, errorLabels: ['before'] });
    const writeConcernError = { code: 91, errmsg: 'no' };
    const added = (body: Document) => {
      const failure = labelled({ ...noFailure, writeConcernError }, sectionsOf(body));
      return deserialize(withWriteConcernError(answer, failure.writeConcernError ?? {}));
    };
    const numbered = { insert: 'c', txnNumber: 1 };
    const errorLabels = ['RetryableWriteError'];
    assert.deepEqual(added(numbered), { n: 1, ok: 1, writeConcernError, errorLabels });
    assert.deepEqual(added({ ...numbered, autocommit: false }).errorLabels, ['before']);
  });
});
