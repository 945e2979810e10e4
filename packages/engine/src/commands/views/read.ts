import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { Environment } from '../../language/environment.ts';
import { everything } from '../../language/filter/index.ts';
import { compilePipeline } from '../../language/pipeline/index.ts';
import { documentsOf, type PlanOptions, plan } from '../../planner/plan.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Results } from '../context/cursors.ts';
import type { CommandRequest } from '../context/request.ts';
import { comparingBy, comparisonOf } from '../shared/collation.ts';
import { DocumentResults } from '../shared/results.ts';
import { checkCollation, findView, sourceOf } from './view.ts';

export interface ViewRead {
  readonly environment: Environment;
  /** The collation of the command. */
  readonly collation?: RawDocument | undefined;
  /** The number of nested pipelines that enclose the stage that reads the view. */
  readonly depth?: number;
}

/** Reads a view. Runs the given stages after the pipeline of the view. */
export function readView(
  name: string,
  stages: readonly RawDocument[],
  { environment: reading, collation, depth = 0 }: ViewRead,
  request: CommandRequest,
  cluster: ClusterContext,
  hint?: PlanOptions['hint'],
): { documents: Iterable<RawDocument>; release(): void } {
  const view = findView(cluster.store, request.database, name);
  if (view !== undefined) checkCollation(view, collation);
  const source = sourceOf(cluster.store, request.database, name);
  const comparison = comparisonOf(collation, source.collated);
  const environment = withIndexes(comparingBy(reading, comparison), source.collection);
  const pipelineEnvironment = cluster.pipelineEnvironment(request, source.name, cluster);
  const pipeline = compilePipeline([...source.pipeline, ...stages], {
    environment,
    pipelineEnvironment,
    depth,
  });
  const { collection } = source;
  const records = collection?.scan(plan(pipeline.filter ?? everything, { collection, hint }).path);
  return {
    documents: pipeline.run(records === undefined ? [] : documentsOf(records, cluster.store.running)),
    release: () => records?.release(),
  };
}

/** Like `readView`, but returns results for a cursor. */
export function viewResults(...args: Parameters<typeof readView>): Results {
  const { documents, release } = readView(...args);
  return new DocumentResults(documents[Symbol.iterator](), { release, ended: false });
}

/** Returns a list with one stage, or an empty list if the value is undefined. */
export function stage(name: string, value: unknown): RawDocument[] {
  return value === undefined ? [] : [new RawDocument(encodeDocument({ [name]: value }))];
}
