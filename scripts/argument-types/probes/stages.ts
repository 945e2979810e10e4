import { stageTable } from '../../../packages/engine/src/language/pipeline/stages.ts';
import { holes, type Nested, nested, type Shape, type Subject } from '../subject.ts';

/** The specification of a stage with all its options. */

interface StageTemplate {
  readonly spec: unknown;
  /** Further fields of the command, such as `aggregate: 1` for stages without a collection. */
  readonly command?: Shape;
  readonly before?: readonly Shape[];
}

const alone = { aggregate: 1 };
const onAdmin = { aggregate: 1, $db: 'admin' };
const only = (...specs: readonly unknown[]): StageTemplate[] => specs.map((spec) => ({ spec }));
const vector = nested({
  index: 'v',
  path: 'a',
  queryVector: nested([1, 2]),
  numCandidates: 10,
  limit: 1,
  exact: false,
  filter: {},
  returnStoredSource: false,
});
const ranked = nested({ one: nested([{ $sort: { a: 1 } }]) });
const searched = {
  index: 's',
  text: { query: 'x', path: 'b' },
  highlight: nested({ path: 'b', maxCharsToExamine: 1, maxNumPassages: 1 }),
  count: nested({ type: 'total', threshold: 1 }),
  sort: { a: 1 },
  scoreDetails: false,
  concurrent: false,
  returnStoredSource: false,
  tracking: nested({ searchTerms: 'x' }),
};

const templates: Readonly<Record<string, readonly StageTemplate[]>> = {
  $addFields: only(nested({ x: 1 })),
  $bucket: only(
    nested({ groupBy: '$a', boundaries: nested([0, 5]), default: 'x', output: nested({ n: { $sum: 1 } }) }),
  ),
  $bucketAuto: only(
    nested({ groupBy: '$a', buckets: 2, output: nested({ n: { $sum: 1 } }), granularity: 'R5' }),
  ),
  $changeStream: only(
    nested({
      fullDocument: 'default',
      fullDocumentBeforeChange: 'off',
      showExpandedEvents: false,
      showRawUpdateDescription: false,
      showSystemEvents: false,
      allChangesForCluster: false,
    }),
    nested({ startAtOperationTime: 1 }),
    nested({ resumeAfter: nested({ _data: 'a' }) }),
    nested({ startAfter: nested({ _data: 'a' }) }),
  ),
  $changeStreamSplitLargeEvent: [{ spec: {}, before: [{ $changeStream: {} }] }],
  $collStats: only(
    nested({
      latencyStats: nested({ histograms: false }),
      storageStats: nested({ scale: 1 }),
      count: {},
      queryExecStats: {},
    }),
  ),
  $count: only('n'),
  $currentOp: [
    {
      spec: nested({
        allUsers: true,
        idleConnections: true,
        idleCursors: true,
        idleSessions: true,
        localOps: true,
        truncateOps: true,
        backtrace: true,
        targetAllNodes: false,
      }),
      command: onAdmin,
    },
  ],
  $densify: only(
    nested({ field: 'a', partitionByFields: nested(['b']), range: nested({ step: 1, bounds: 'full' }) }),
    nested({
      field: 'd',
      range: nested({ step: 1, unit: 'day', bounds: nested([new Date(0), new Date(86_400_000)]) }),
    }),
  ),
  $documents: [{ spec: nested([nested({ a: 1 })]), command: alone }],
  $facet: only(nested({ one: nested([nested({ $limit: 1 })]) })),
  $fill: only(
    nested({
      partitionByFields: nested(['b']),
      sortBy: nested({ a: 1 }),
      output: nested({ c: nested({ method: 'locf' }) }),
    }),
    nested({ partitionBy: '$b', output: nested({ c: nested({ value: 1 }) }) }),
  ),
  $geoNear: only(
    nested({
      near: nested([0, 0]),
      distanceField: 'x',
      key: 'geo',
      maxDistance: 1,
      minDistance: 0,
      query: {},
      spherical: false,
      distanceMultiplier: 1,
      includeLocs: 'l',
      uniqueDocs: false,
    }),
    nested({ near: [0, 0], distanceField: 'x', key: 'geo', limit: 1 }),
    nested({ near: [0, 0], distanceField: 'x', key: 'geo', num: 1 }),
  ),
  $graphLookup: only(
    nested({
      from: 'probe',
      startWith: '$a',
      connectFromField: 'a',
      connectToField: 'a',
      as: 'x',
      maxDepth: 1,
      depthField: 'd',
      restrictSearchWithMatch: {},
    }),
  ),
  $group: only(nested({ _id: '$a', n: nested({ $sum: 1 }) })),
  $indexStats: only({}),
  $limit: only(1),
  $listClusterCatalog: [
    { spec: nested({ shards: false, balancingConfiguration: false, tracked: false }), command: onAdmin },
  ],
  $listLocalSessions: [
    { spec: nested({ allUsers: true }), command: alone },
    { spec: nested({ users: nested([nested({ user: 'u', db: 'test' })]) }), command: alone },
  ],
  $listSampledQueries: [{ spec: nested({ namespace: 'test.probe' }), command: onAdmin }],
  $listSearchIndexes: only(nested({ name: 's' }), nested({ id: 's' })),
  $listSessions: [
    { spec: nested({ allUsers: true }), command: { aggregate: 'system.sessions', $db: 'config' } },
    {
      spec: nested({ users: nested([nested({ user: 'u', db: 'test' })]) }),
      command: { aggregate: 'system.sessions', $db: 'config' },
    },
  ],
  $lookup: only(
    nested({
      from: 'probe',
      localField: 'a',
      foreignField: 'a',
      as: 'x',
      let: nested({ v: 1 }),
      pipeline: nested([nested({ $limit: 1 })]),
    }),
    nested({ from: nested({ db: 'test', coll: 'probe' }), pipeline: [], as: 'x' }),
  ),
  $match: only(nested({ a: 1 })),
  $merge: only(
    nested({
      into: 'written',
      on: '_id',
      let: nested({ v: 1 }),
      whenMatched: nested([nested({ $set: { x: 1 } })]),
      whenNotMatched: 'insert',
    }),
    nested({ into: nested({ db: 'test', coll: 'written' }), on: nested(['_id']), whenMatched: 'merge' }),
  ),
  $out: only(
    'written',
    nested({ db: 'test', coll: 'written' }),
    nested({
      db: 'test',
      coll: 'seriesOut',
      timeseries: nested({ timeField: 't', metaField: 'm', granularity: 'hours' }),
    }),
  ),
  $planCacheStats: only(nested({ allHosts: false })),
  $project: only(nested({ a: 1 }), nested({ a: 0 })),
  $querySettings: [{ spec: nested({ showDebugQueryShape: false }), command: onAdmin }],
  $queryStats: [
    {
      spec: nested({ transformIdentifiers: nested({ algorithm: 'hmac-sha-256', hmacKey: 'k' }) }),
      command: onAdmin,
    },
  ],
  $rankFusion: only(
    nested({
      input: nested({ pipelines: ranked }),
      combination: nested({ weights: nested({ one: 1 }) }),
      scoreDetails: false,
    }),
  ),
  $redact: only('$$KEEP'),
  $replaceRoot: only(nested({ newRoot: { x: 1 } })),
  $replaceWith: only({ x: 1 }),
  $sample: only(nested({ size: 1 })),
  $score: only(nested({ score: 1, normalization: 'none', weight: 1, scoreDetails: false })),
  $scoreFusion: only(
    nested({
      input: nested({
        pipelines: nested({ one: nested([{ $score: { score: 1 } }]) }),
        normalization: 'none',
      }),
      combination: nested({ weights: nested({ one: 1 }), method: 'avg' }),
      scoreDetails: false,
    }),
  ),
  $search: only(nested(searched)),
  $searchMeta: only(
    nested({ index: 's', text: { query: 'x', path: 'b' }, count: nested({ type: 'total', threshold: 1 }) }),
  ),
  $set: only(nested({ x: 1 })),
  $setWindowFields: only(
    nested({
      partitionBy: '$b',
      sortBy: nested({ a: 1 }),
      output: nested({ x: nested({ $sum: '$a', window: nested({ documents: nested([-1, 0]) }) }) }),
    }),
    nested({
      sortBy: { a: 1 },
      output: { x: nested({ $sum: '$a', window: nested({ range: nested([-1, 0]) }) }) },
    }),
    nested({
      sortBy: { d: 1 },
      output: nested({ x: nested({ $sum: '$a', window: nested({ range: nested([-1, 0]), unit: 'day' }) }) }),
    }),
  ),
  $shardedDataDistribution: [{ spec: {}, command: onAdmin }],
  $skip: only(1),
  $sort: only(nested({ a: 1 }), nested({ a: nested({ $meta: 'textScore' }) })),
  $sortByCount: only('$a'),
  $unionWith: only('probe', nested({ coll: 'probe', pipeline: nested([nested({ $limit: 1 })]) })),
  $unset: only('a', nested(['a'])),
  $unwind: only('$c', nested({ path: '$c', includeArrayIndex: 'i', preserveNullAndEmptyArrays: false })),
  $vectorSearch: only(vector),
};

export function stageSubjects(): Subject[] {
  return Object.keys(stageTable)
    .toSorted()
    .flatMap((name) => {
      const list = templates[name];
      if (list === undefined) throw new Error(`no template of the stage ${name}`);
      return list.flatMap(({ spec, command = {}, before = [] }) =>
        holes(spec as Nested).map(({ field, shape }) => ({
          page: 'stages',
          of: name,
          field,
          command: { aggregate: 'probe', ...command, pipeline: [...before, { [name]: shape }], cursor: {} },
          ...(name === '$out' || name === '$merge'
            ? { after: [{ drop: 'written' }, { drop: 'a' }, { drop: 'seriesOut' }] }
            : {}),
        })),
      );
    });
}
