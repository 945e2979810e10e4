import { releasing } from '../../bson/turns.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compilePipeline } from '../../language/pipeline/index.ts';
import { needsNoCollection } from '../../language/pipeline/placement.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import { BUCKETS } from '../../storage/buckets/layout.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { storedEnvironment } from '../shared/environment.ts';
import { checkStable } from '../shared/stable-api.ts';
import { checkGraph } from './graph.ts';
import { findView, type View } from './view.ts';

/** Maximum total size of the stages, in bytes. */
const MAX_PIPELINE_BYTES = 16_000_000;

/** Throws if a view definition is invalid. */
export function checkView(view: View, request: CommandRequest, cluster: ClusterContext): void {
  const { database } = request;
  const { store } = cluster;
  if (view.on === '') throw new ServerError('BadValue', "'viewOn' cannot be empty");
  if (view.on.startsWith(BUCKETS)) {
    throw new ServerError(
      'InvalidNamespace',
      'Cannot create a view on the buckets of a time-series collection',
    );
  }
  const size = view.pipeline.reduce((sum, stage) => sum + stage.length, 0);
  if (size > MAX_PIPELINE_BYTES) {
    throw new ServerError(
      'ViewPipelineMaxSizeExceeded',
      `View pipeline exceeds maximum size; maximum size is ${MAX_PIPELINE_BYTES}`,
    );
  }
  for (const stage of view.pipeline) checkStage(stage.first()?.name ?? '');
  if (request.body.bool('apiStrict') === true) checkStable(view.pipeline);
  const environment = storedEnvironment(cluster);
  releasing(() =>
    compilePipeline(view.pipeline, {
      environment,
      pipelineEnvironment: cluster.pipelineEnvironment(request, view.on, cluster),
    }),
  );
  checkGraph(store, database, view);
  checkSameCollation(view, findView(store, database, view.on));
}

function checkStage(name: string): void {
  const allowed = describeStage(name)?.within.view;
  if (allowed === 'needsNoCollection') throw needsNoCollection(name);
  if (allowed === 'refused') {
    throw new ServerError(
      'OptionNotSupportedOnView',
      `The aggregation stage ${name} in view definition is not supported`,
    );
  }
}

function checkSameCollation({ name, collation }: View, below: View | undefined): void {
  if (below === undefined) return;
  const same =
    collation === undefined || below.collation === undefined
      ? collation === below.collation
      : collation.equals(below.collation);
  if (same) return;
  throw new ServerError(
    'OptionNotSupportedOnView',
    `View ${name} has a collation that does not match the collation of view ${below.name}`,
  );
}
