import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import { WatchedStatement } from '../../statement/statement.ts';
import { noEnvironment } from '../environment.ts';
import { memoryOnly } from '../workspace.ts';
import { compilePipeline } from './compile.ts';

const documents = Array.from({ length: 20 }, (_, i) => RawDocument.from({ _id: i, a: [1, 2, 3, 4] }));
const pipelines: Readonly<Record<string, object | string>> = {
  $facet: { all: [] },
  $graphLookup: { from: 'f', startWith: '$_id', connectFromField: '_id', connectToField: '_id', as: 'b' },
  $group: { _id: '$_id' },
  $lookup: { from: 'f', localField: '_id', foreignField: '_id', as: 'b' },
  $project: { b: { $map: { input: '$a', in: 1 } } },
  $redact: '$$DESCEND',
  $setWindowFields: { sortBy: { _id: 1 }, output: { n: { $documentNumber: {} } } },
  $sort: { a: 1 },
  $unwind: { path: '$a' },
};

const pipelineEnvironment = {
  namespace: { database: 'd', collection: 'c' },
  read: () => documents,
  uniqueKeys: () => [],
  replaceCollection: () => {},
  replaceOne: () => {},
  insertOne: () => {},
  collectionStats: () => [],
  indexStats: () => [],
};

/** Returns how often the statement reads the clock while a stage processes the documents. */
function pollsOf(stage: object, docs: readonly RawDocument[]): number {
  const statement = new WatchedStatement();
  let polls = 0;
  statement.watch(() => {
    polls++;
  });
  const environment = { ...noEnvironment, statement };
  const pipeline = compilePipeline([RawDocument.from(stage)], { environment, pipelineEnvironment });
  assert.equal([...pipeline.run(docs)].length, docs.length);
  return polls;
}

describe('the stages of a pipeline', () => {
  for (const [name, stage] of Object.entries(pipelines)) {
    it(`can be stopped in ${name} by the statement that they are given`, () => {
      const statement = new WatchedStatement();
      const stopped = new Error('stopped');
      statement.watch(() => {
        throw stopped;
      });
      const pipeline = compilePipeline([RawDocument.from({ [name]: stage })], {
        environment: { ...noEnvironment, statement },
        pipelineEnvironment,
      });
      assert.throws(() => [...pipeline.run(documents)], stopped);
    });
  }

  it('look up equal values once', () => {
    const local = RawDocument.from({ _id: 'local', a: Array.from({ length: 3_000 }, () => 1) });
    const foreign = Array.from({ length: 3_000 }, (_, _id) => RawDocument.from({ _id, a: 1 }));
    const statement = new WatchedStatement();
    let checks = 0;
    statement.check = () => void checks++;
    const stage = RawDocument.from({ $lookup: { from: 'f', localField: 'a', foreignField: 'a', as: 'r' } });
    const environment = { ...noEnvironment, statement };
    const read = { ...pipelineEnvironment, read: () => foreign };
    const [joined] = compilePipeline([stage], { environment, pipelineEnvironment: read }).run([local]);
    assert.equal(joined?.toObject().r.length, 3_000);
    // Each foreign document is checked when it is read, indexed, found and returned.
    assert.ok(checks > 3 * 3_000 && checks < 6 * 3_000, `${checks} checks`);
  });

  it('count the join keys of arrays as memory', () => {
    const foreign = [1, 2].map((n) =>
      RawDocument.from({ _id: n, a: Array.from({ length: 1_000 }, (_, i) => n * i) }),
    );
    for (const stage of [
      { $lookup: { from: 'f', localField: '_id', foreignField: 'a', as: 'r' } },
      {
        $graphLookup: { from: 'f', startWith: '$_id', connectFromField: '_id', connectToField: 'a', as: 'r' },
      },
    ]) {
      const workspace = { ...memoryOnly, use: { bytes: 0 } };
      const environment = { ...noEnvironment, workspace };
      const read = { ...pipelineEnvironment, read: () => foreign };
      const pipeline = compilePipeline([RawDocument.from(stage)], { environment, pipelineEnvironment: read });
      const results = pipeline.run(documents)[Symbol.iterator]();
      results.next();
      assert.ok(workspace.use.bytes > 2 * 1_000 * 128, `${workspace.use.bytes}`);
      results.return?.();
    }
  });

  it('can be stopped within the window of one document', () => {
    const docs = Array.from({ length: 200 }, (_, i) => RawDocument.from({ _id: i }));
    const windowed = (documents: unknown[]) => ({
      $setWindowFields: {
        sortBy: { _id: 1 },
        output: { all: { $push: '$_id', window: { documents } } },
      },
    });
    assert.ok(pollsOf(windowed([-100, 100]), docs) > 1_000);
    // All documents have the same window, so it is read only once.
    assert.ok(pollsOf(windowed(['unbounded', 'unbounded']), docs) < 300);
  });
});
