import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Decimal128, type Document, Double, Long } from 'bson';
import { plain, raw } from '../../testing/documents.ts';
import { compilePipeline } from '../index.ts';

function run(stages: readonly Document[], docs: readonly Document[]): Document[] {
  return plain(compilePipeline(stages.map(raw)).run(docs.map(raw)));
}

const show = { $project: { _id: 1, score: { $meta: 'score' } } };

function scores(fusion: Document, docs: readonly Document[]): [id: unknown, score: number][] {
  return run([fusion, show], docs).map(({ _id, score }) => [_id, Number(score)]);
}

const rankFusion = (pipelines: Document, weights?: Document) => ({
  $rankFusion: { input: { pipelines }, ...(weights && { combination: { weights } }) },
});

const docs = [
  { _id: 1, a: 30, b: 10 },
  { _id: 2, a: 20, b: 30 },
  { _id: 3, a: 10, b: 20 },
];
const byA = [{ $sort: { a: -1 } }];
const byB = [{ $sort: { b: -1 } }];
const worth = (...ranks: number[]) => ranks.reduce((sum, rank) => sum + 1 / (60 + rank), 0);

describe('$rankFusion', () => {
  it('sums the contributions of ranks in each pipeline, best first', () => {
    assert.deepEqual(scores(rankFusion({ p: byA, q: byB }), docs), [
      [2, worth(2, 1)],
      [1, worth(1, 3)],
      [3, worth(3, 2)],
    ]);
  });

  it('gives no contribution for pipelines without the document', () => {
    const found = scores(rankFusion({ p: [{ $match: { _id: 1 } }, ...byA], q: byA }), docs);
    assert.deepEqual(found[0], [1, worth(1, 1)]);
    assert.deepEqual(found[2], [3, worth(3)]);
  });

  it('gives ties of the last sort the same rank', () => {
    const tied = [{ _id: 3, a: 1 }, { _id: 2 }, { _id: 1, a: null }];
    assert.deepEqual(scores(rankFusion({ p: [{ $sort: { a: 1 } }] }), tied), [
      [1, worth(1)],
      [2, worth(1)],
      [3, worth(3)],
    ]);
  });

  it('ranks the output of a pipeline', () => {
    assert.deepEqual(scores(rankFusion({ p: [...byA, { $skip: 1 }, { $limit: 1 }] }), docs), [[2, worth(1)]]);
  });

  it('accepts weights of every number type', () => {
    for (const weight of [2, 2.5, Long.fromNumber(3), Decimal128.fromString('4.5'), 0, Infinity]) {
      const [first] = scores(rankFusion({ p: byA }, { p: weight }), docs.slice(0, 1));
      assert.deepEqual(first, [1, Number(weight) / 61], String(weight));
    }
  });

  it('provides the details of each pipeline on request', () => {
    const stages = [
      {
        $rankFusion: {
          input: { pipelines: { q: byB, p: [{ $match: { _id: 1 } }, ...byA] } },
          combination: { weights: { q: 2 } },
          scoreDetails: true,
        },
      },
      { $project: { d: { $meta: 'scoreDetails' } } },
    ];
    const [first] = run(stages, docs);
    assert.equal(first?._id, 1);
    assert.deepEqual(first?.d.details, [
      { inputPipelineName: 'p', rank: 1, weight: new Double(1).valueOf(), details: [] },
      { inputPipelineName: 'q', rank: 3, weight: 2, details: [] },
    ]);
    const [, second] = run(stages, docs);
    assert.deepEqual(second?.d.details[0], { inputPipelineName: 'p', rank: 'NA' });
  });

  const refused: ReadonlyArray<readonly [what: string, spec: unknown, code: number]> = [
    ['no document', 5, 9],
    ['no input', {}, 40414],
    ['an input that is null', { input: null }, 40414],
    ['an input of another type', { input: [] }, 14],
    ['a pipeline of another type', { input: { pipelines: { p: {} } } }, 14],
    ['a stage of another type', { input: { pipelines: { p: [5] } } }, 14],
    ['an unknown field', { input: { pipelines: { p: byA } }, more: 1 }, 40415],
    ['details that are no flag', { input: { pipelines: { p: byA } }, scoreDetails: 1 }, 14],
    ['weights that are missing', { input: { pipelines: { p: byA } }, combination: {} }, 40414],
    ['an empty pipeline', { input: { pipelines: { p: [] } } }, 9834300],
    ['a pipeline without an order', { input: { pipelines: { p: [{ $limit: 1 }] } } }, 9191100],
    ['a pipeline that alters documents', { input: { pipelines: { p: [...byA, { $unset: 'a' }] } } }, 9191103],
    ['fusion inside of fusion', { input: { pipelines: { p: [rankFusion({ q: byA })] } } }, 10473002],
    ['fusion later inside', { input: { pipelines: { p: [...byA, rankFusion({ q: byA })] } } }, 10170100],
    ['a name with a dot', { input: { pipelines: { 'p.q': byA } } }, 16412],
    ['a name with a dollar', { input: { pipelines: { $p: byA } } }, 16410],
    ['an empty name', { input: { pipelines: { '': byA } } }, 15998],
  ];
  for (const [what, spec, code] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(() => run([{ $rankFusion: spec }], docs), { code });
    });
  }

  const weights: ReadonlyArray<readonly [what: string, weights: Document, code: number]> = [
    ['that are negative', { p: -1 }, 9460300],
    ['that are not numbers', { p: 'x' }, 13118],
    ['of missing pipelines', { q: 1 }, 9967500],
    ['more than there are pipelines', { p: 1, q: 1 }, 9460301],
  ];
  for (const [what, given, code] of weights) {
    it(`refuses weights ${what}`, () => {
      assert.throws(() => run([rankFusion({ p: byA }, given)], docs), { code });
    });
  }

  it('must be the first stage, even in a facet, and needs an input', () => {
    assert.throws(() => run([{ $match: {} }, rankFusion({ p: byA })], docs), { code: 10170100 });
    const behind = [{ $match: {} }, rankFusion({ p: byA })];
    assert.throws(() => run([{ $facet: { f: behind } }], docs), { code: 10170100 });
    assert.equal(run([{ $facet: { f: [rankFusion({ p: byA })] } }], docs)[0]?.f.length, docs.length);
    assert.throws(() => run([rankFusion({})], docs), { code: 2 });
  });

  it('may follow the stages of a view', () => {
    const stages = [{ $match: { _id: { $gt: 1 } } }, rankFusion({ p: byA }), show].map(raw);
    const found = plain(compilePipeline(stages, { view: 1 }).run(docs.map(raw)));
    assert.deepEqual(
      found.map(({ _id }) => _id),
      [2, 3],
    );
  });
});

describe('$scoreFusion', () => {
  const scored = (expression: unknown) => [{ $score: { score: expression } }];
  const scoreFusion = (pipelines: Document, more: Document = {}, normalization = 'none') => ({
    $scoreFusion: { input: { pipelines, normalization }, ...more },
  });

  it('averages over all pipelines, with 0 for those without the document', () => {
    const pipelines = { p: scored('$a'), q: [{ $match: { _id: 3 } }, ...scored('$b')] };
    assert.deepEqual(scores(scoreFusion(pipelines), docs), [
      [1, 15],
      [3, 15],
      [2, 10],
    ]);
  });

  it('normalizes scores and applies weights', () => {
    const given = { combination: { weights: { p: 3 } } };
    assert.deepEqual(scores(scoreFusion({ p: scored('$a') }, given, 'minMaxScaler'), docs), [
      [1, 3],
      [2, 1.5],
      [3, 0],
    ]);
  });

  it('combines them with an expression by name', () => {
    const combination = { method: 'expression', expression: { $subtract: ['$$p', '$$q'] } };
    assert.deepEqual(scores(scoreFusion({ p: scored('$a'), q: scored('$b') }, { combination }), docs), [
      [1, 20],
      [2, -10],
      [3, -10],
    ]);
  });

  const refused: ReadonlyArray<readonly [what: string, stage: Document, code: number]> = [
    ['an empty pipeline', scoreFusion({ p: [] }), 9402503],
    ['a pipeline without scores', scoreFusion({ p: byA }), 9402500],
    ['a pipeline that alters documents', scoreFusion({ p: [...scored('$a'), { $unset: 'a' }] }), 9402502],
    ['fusion inside of fusion', scoreFusion({ p: [rankFusion({ q: byA })] }), 10473003],
    ['an unknown normalization', scoreFusion({ p: scored('$a') }, {}, 'x'), 2],
    [
      'a method without an expression',
      scoreFusion({ p: scored('$a') }, { combination: { method: 'expression' } }),
      10017300,
    ],
  ];
  for (const [what, stage, code] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(() => run([stage], docs), { code });
    });
  }
});

describe('$score', () => {
  it('assigns the normalized and weighted value of an expression', () => {
    const one = (spec: Document) => scores({ $score: spec }, [{ _id: 1, a: 0 }])[0]?.[1];
    assert.equal(one({ score: 8, weight: 0.5 }), 4);
    assert.equal(one({ score: '$a', normalization: 'sigmoid' }), 0.5);
    assert.equal(one({ score: 8, normalization: 'minMaxScaler' }), 0);
  });

  it('rejects scores that are not numbers and weights outside of 0 to 1', () => {
    assert.throws(() => run([{ $score: { score: 'x' } }], docs), { code: 14 });
    assert.throws(() => run([{ $score: { score: 1, weight: 2 } }], docs), { code: 2 });
    assert.throws(() => run([{ $score: {} }], docs), { code: 40414 });
  });
});
