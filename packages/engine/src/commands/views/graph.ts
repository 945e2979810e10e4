import { bsonTypes } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import { findView, MAX_VIEWS, tooDeep, type View } from './view.ts';

/** Throws if a view depends on itself, or if a chain of views is too long. */
export function checkGraph(store: ClusterStore, database: string, view: View): void {
  const namespace = (name: string) => `${database}.${name}`;
  const heights = new Map<string, number>();
  const heightOf = (name: string, path: readonly string[]): number => {
    if (name === view.name) {
      const cycle = [...path, name].map(namespace).join(' => ');
      throw new ServerError('GraphContainsCycle', `View cycle detected: ${cycle}`);
    }
    const known = heights.get(name);
    if (known !== undefined) return known;
    const found = findView(store, database, name);
    const below = found && namesIn(found).map((each) => heightOf(each, [...path, name]));
    const height = below === undefined ? 0 : Math.max(...below) + 1;
    heights.set(name, height);
    return height;
  };
  const height = Math.max(...namesIn(view).map((name) => heightOf(name, [view.name]))) + 1;
  if (height > MAX_VIEWS) throw tooDeep();
}

/** Returns the names of all collections that a pipeline reads, including nested pipelines. */
export function namesInPipeline(pipeline: readonly RawDocument[]): string[] {
  return pipeline.flatMap(namesInStage);
}

/**
 * Returns the names of the collections and views that a view reads: its source, and those in its pipeline.
 */
function namesIn({ on, pipeline }: View): string[] {
  return [on, ...namesInPipeline(pipeline)];
}

function namesInStage(spec: RawDocument): string[] {
  const stage = spec.first();
  const access = stage && describeStage(stage.name)?.access;
  if (stage === undefined || access === undefined) return [];
  return [
    ...access.reads(stage).flatMap((source) => (source.type === bsonTypes.string ? [textOf(source)] : [])),
    ...access.pipelines(stage).flatMap(namesInPipeline),
  ];
}
