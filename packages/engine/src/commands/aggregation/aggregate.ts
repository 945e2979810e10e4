import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/environment.ts';
import { everything } from '../../language/filter/index.ts';
import { INDEX_KEY, onRequest, RECORD_ID, SORT_KEY } from '../../language/metadata.ts';
import { compilePipeline, type Pipeline } from '../../language/pipeline/index.ts';
import { MergeFailed } from '../../language/pipeline/merge.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import type { Reply } from '../../message/reply.ts';
import { withIndexKey } from '../../planner/index-keys.ts';
import { documentsOf, type PlanOptions, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { RecordStream } from '../../storage/records/scan.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { Results } from '../context/cursors.ts';
import type { CommandRequest } from '../context/request.ts';
import { documentsWithIds } from '../crud/record-ids.ts';
import { explainReply } from '../planning/explain-reply.ts';
import { applyQuerySettings } from '../planning/query-settings.ts';
import { describingQuery, queryOfPipeline } from '../planning/query-text.ts';
import { comparisonOf } from '../shared/collation.ts';
import { command } from '../shared/define.ts';
import { environmentOf } from '../shared/environment.ts';
import { checkNamespace } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { DocumentResults, firstBatch } from '../shared/results.ts';
import { checkStable } from '../shared/stable-api.ts';
import { checkUuid } from '../shared/uuid.ts';
import { withDisk } from '../shared/workspace.ts';
import { namesInPipeline } from '../views/graph.ts';
import { checkCollation, findView, type Source, sourceOf } from '../views/view.ts';
import { aggregateFields, batchSizeOf, rejectWriteConcern } from './aggregate-arguments.ts';
import { countByIndex } from './aggregate-count.ts';
import { pipelineWrites, privilegesOfPipeline } from './aggregate-privileges.ts';
import { isChangeStream, openChangeStream, rejectUnwatched } from './change-stream/open.ts';
import { explainAggregate } from './explain.ts';
import { pipelineEnvironmentOf } from './pipeline-environment.ts';

const simpleCollation = RawDocument.from({ locale: 'simple' });

const aggregate = command({
  name: 'aggregate',
  ...reading,
  transaction: 'statement',
  readConcern: 'snapshot',
  writeConcern: true,
  stableApi: true,
  unstableFields: [
    '$_requestReshardingResumeToken',
    'collectionUUID',
    'exchange',
    'explain',
    'isMapReduceCommand',
    'runtimeConstants',
  ],
  explain: explainAggregate,
  privileges: privilegesOfPipeline,
  fields: aggregateFields,
  run(args, request, cluster) {
    const name = args.aggregate === 1 ? undefined : args.aggregate;
    if (request.body.bool('apiStrict', 'aggregate') === true) checkStable(args.pipeline);
    const batchSize = batchSizeOf(args);
    checkLevel(args.pipeline, request.body.document('readConcern')?.string('level'));
    if (args.explain) rejectWriteConcern(request.body);
    if (args.explain)
      return explainReply(request, explainAggregate, explainAggregate.explain, cluster, 'queryPlanner');
    const source = sourceOfPipeline(name, args, request, cluster);
    const { collection } = source;
    const allowed = applyQuerySettings(request, collection, cluster);
    if (name !== undefined) checkUuid(args.collectionUUID, request.database, name, cluster.store);
    checkFused(name, args.pipeline, collection);
    checkViewsRead(
      args.pipeline,
      args.collation ?? source.collated?.options.document('collation'),
      request,
      cluster,
    );
    const isStream = isChangeStream(args.pipeline);
    // A change stream does not use the default collation of its collection.
    const comparison = comparisonOf(args.collation, isStream ? undefined : source.collated);
    const environment = withDisk(
      withIndexes(environmentOf(args.let, cluster, comparison), collection),
      args.allowDiskUse,
    );
    const pipelineEnvironment = pipelineEnvironmentOf(request, source.name, cluster);
    if (isStream) {
      return openChangeStream(
        name,
        args.pipeline,
        batchSize,
        { environment, pipelineEnvironment },
        request,
        cluster,
      );
    }
    const specs = [...source.pipeline, ...args.pipeline];
    const compile = (within: Environment) =>
      compilePipeline(specs, { environment: within, pipelineEnvironment, view: source.pipeline.length });
    const requested = new Set<string>();
    const namespace = checkNamespace(request.database, name ?? '$cmd.aggregate');
    const describing = <T>(work: () => T) =>
      describingQuery(collection?.namespace ?? namespace, () => queryOfPipeline(specs), work);
    const compiled = describing(() => compile({ ...environment, asked: requested }));
    const shown = new Set(onRequest.filter((name) => requested.has(name)));
    const pipeline = shown.size === 0 ? compiled : compile({ ...environment, metadata: shown });
    const results = describing(() => {
      const counted = countByIndex(specs, pipeline, collection, { hint: args.hint, allowed });
      return counted === undefined
        ? runPipeline(pipeline, collection, { hint: args.hint, comparison, allowed }, shown)
        : new DocumentResults(counted.values(), undefined, counted.length);
    });
    // If the pipeline writes, run it completely now. A cursor would run the rest of it outside the transaction.
    const failed = pipelineWrites(request) ? writeAll(results) : undefined;
    if (failed !== undefined) return failed;
    return firstBatch(results, { namespace, batchSize }, request, cluster);
  },
});

/**
 * Throws if a stage does not support the read concern. Some stages require `local`, others require
 * `majority`. Stages that write have a restriction of their own.
 */
function checkLevel(pipeline: readonly RawDocument[], level?: string): void {
  if (level === undefined) return;
  const first = pipeline[0]?.first()?.name ?? '';
  const only = describeStage(first)?.readConcern;
  if ((only === 'local' || only === 'majority') && level !== only) {
    const orIn = only === 'local' ? ', or in a multi-document transaction' : '';
    throw new ServerError(
      'InvalidOptions',
      `Aggregation stage ${first} cannot run with a readConcern other than '${only}'${orIn}. ` +
        `Current readConcern: ${level}`,
    );
  }
  const last = pipeline.at(-1)?.first()?.name ?? '';
  if (level !== 'linearizable' || describeStage(last)?.readConcern !== 'notLinearizable') return;
  throw new ServerError('InvalidOptions', `${last} cannot be used with a 'linearizable' read concern level`);
}

/**
 * Runs a pipeline that writes. If a `$merge` fails after writing some documents, returns an error reply, and
 * these documents remain.
 */
function writeAll(results: Results): Reply | undefined {
  try {
    results.take(Number.POSITIVE_INFINITY);
    return undefined;
  } catch (error) {
    if (!(error instanceof MergeFailed)) throw error;
    const { code, codeName, message, more } = error.reason;
    return { ok: 0, errmsg: message, code, codeName, ...more };
  }
}

/** Throws if a view that a stage reads has another collation than the pipeline. */
function checkViewsRead(
  pipeline: readonly RawDocument[],
  collation: RawDocument | undefined,
  { database }: CommandRequest,
  { store }: ClusterContext,
): void {
  for (const name of namesInPipeline(pipeline)) {
    const view = findView(store, database, name);
    if (view !== undefined && (view.collation ?? collation) !== undefined) {
      checkCollation(view, collation ?? simpleCollation);
    }
  }
}

/**
 * Returns the source of a pipeline. A statistics stage reads the namespace itself, even if it is a view.
 * Throws for a change stream on a view.
 */
function sourceOfPipeline(
  name: string | undefined,
  { pipeline: [first], collation }: { pipeline: readonly RawDocument[]; collation?: RawDocument },
  { database }: CommandRequest,
  { store }: ClusterContext,
): Omit<Source, 'name'> & { readonly name: string | undefined } {
  const collection = name === undefined ? undefined : store.collection(database, name);
  const view = name === undefined || collection ? undefined : findView(store, database, name);
  if (first !== undefined && isChangeStream([first])) rejectUnwatched(name, database, store);
  if (view === undefined || describeStage(first?.first()?.name ?? '')?.source === 'namespace') {
    return { name, collection, pipeline: [], collated: collection };
  }
  checkCollation(view, collation);
  return sourceOf(store, database, view.name);
}

/** Throws for hybrid search stages on a time series or its buckets collection, because neither supports such stages. */
function checkFused(
  name: string | undefined,
  [first]: readonly RawDocument[],
  collection: Collection | undefined,
): void {
  if (describeStage(first?.first()?.name ?? '')?.fusion !== 'fuses') return;
  if (collection?.options.has('timeseries') !== true && name?.startsWith(BUCKETS) !== true) return;
  throw new ServerError(10557301, `${first?.first()?.name} is unsupported on a timeseries collection`);
}

function runPipeline(
  pipeline: Pipeline,
  collection: Collection | undefined,
  options: Pick<PlanOptions, 'hint' | 'comparison' | 'allowed'>,
  shown: ReadonlySet<string>,
): Results {
  // If the pipeline uses the sort key, do not replace its sort by an index: only a sort adds the key to the documents.
  const sort = shown.has(SORT_KEY) ? undefined : pipeline.sort;
  const { path, sorted } = plan(pipeline.filter ?? everything, { sort, collection, ...options });
  const fields = shown.size > 0 ? undefined : pipeline.fields;
  const records = collection?.scan(path, undefined, undefined, { fields });
  const ready = sorted && sort !== undefined;
  const found = records && collection ? readRecords(records, collection, shown) : [].values();
  const documents = pipeline.run(shown.has(INDEX_KEY) ? found.map(withIndexKey(path)) : found, ready);
  // This source never reports its end: when the scan has ended, stages may still have documents to return.
  const source = records && { release: () => records.release(), ended: false };
  return new DocumentResults(documents[Symbol.iterator](), source);
}

function readRecords(records: RecordStream, { running }: Collection, shown: ReadonlySet<string>) {
  return shown.has(RECORD_ID) ? documentsWithIds(records) : documentsOf(records, running);
}

/** The variant for pipelines that write. A secondary that can be read accepts them, and writes to the primary. */
const writingAggregate: Command = { ...aggregate, data: 'write' };

export const aggregateCommands: readonly Command[] = [
  { ...aggregate, variant: (request) => (pipelineWrites(request) ? writingAggregate : aggregate) },
];
