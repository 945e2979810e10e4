import { bsonTypes } from '../../bson/bson-types.ts';
import { equalValues } from '../../bson/compare.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../../bson/validate.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { prepareInsert, withIdFirst } from '../insert.ts';
import { compilePipeline, unknownStage } from '../pipeline/compile.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { PipelineOptions } from '../pipeline/pipeline-environment.ts';
import { isWithin } from '../pipeline/placement.ts';
import { describeStage } from '../pipeline/stages.ts';
import { diffOf } from './difference.ts';
import { otherId } from './id.ts';
import type { Update, UpdateOptions } from './update.ts';
import { seedOf } from './upsert.ts';

/**
 * Compiles an update by a pipeline, which runs on each document separately. The server does not optimize such
 * pipelines, and evaluates constants only when a document needs them. So this pipeline does the same.
 */
export function compilePipelineUpdate(entries: readonly Value[], { environment }: UpdateOptions): Update {
  const specs = entries.map((entry) => {
    if (entry.type === bsonTypes.object) return documentOf(entry);
    throw new ServerError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  });
  for (const spec of specs) {
    const first = spec.first();
    if (first === undefined || !first.name.startsWith('$')) continue;
    const descriptor = describeStage(first.name);
    if (descriptor === undefined) throw unknownStage(first.name);
    if (isWithin(descriptor.within.update, first)) continue;
    throw new ServerError('InvalidOptions', `${first.name} is not allowed to be used within an update`);
  }
  const pipeline = compilePipeline(specs, environment === undefined ? {} : unfolded(environment));
  return {
    kind: 'pipeline',
    apply(doc) {
      const after = result(pipeline, doc);
      const modified = !after.equals(doc);
      if (modified && after.length > MAX_DOCUMENT_SIZE) {
        throw new ServerError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_SIZE}`);
      }
      if (!modified) return { bytes: doc.toBytes(), modified };
      return { bytes: after.toBytes(), modified, difference: () => smallDifference(doc, after) };
    },
    insertFrom: (filter, newId) => prepareInsert(result(pipeline, seedOf(filter)), newId).toBytes(),
  };
}

function unfolded({ folding: _, ...environment }: Environment): PipelineOptions {
  return { environment };
}

/** Returns the difference, or undefined if the difference and its overhead would be larger than the document itself. */
function smallDifference(before: RawDocument, after: RawDocument): RawDocument | undefined {
  const difference = diffOf(before, after);
  return difference.length + AROUND_DIFFERENCE < after.length ? difference : undefined;
}

/** The overhead of a difference in bytes, a constant of the server. */
const AROUND_DIFFERENCE = 15;

/** Runs the pipeline and restores the `_id`, which the pipeline may drop but not change. */
function result(pipeline: Pipeline, doc: RawDocument): RawDocument {
  const [after = doc] = pipeline.run([doc]);
  const before = doc.get('_id');
  if (before === undefined) return after;
  const id = after.get('_id');
  if (id === undefined) return withIdFirst(after, before);
  if (!equalValues(id, before)) throw otherId(id);
  return after;
}
