import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, noEnvironment } from '../environment.ts';
import { FieldReads } from '../field-reads.ts';
import { addFilterReads } from '../filter/field-reads.ts';
import type { Filter } from '../filter/filter.ts';
import { foldingAfter } from '../folding.ts';
import { keepParts } from '../parts.ts';
import { compileMatch } from './match.ts';
import { metadataFrom, propagatingMetadata } from './metadata.ts';
import type { Pipeline } from './pipeline.ts';
import {
  type Namespace,
  type PipelineEnvironment,
  type PipelineOptions,
  withoutCollections,
} from './pipeline-environment.ts';
import { checkInside, checkPositions, checkSource, type WrittenStage } from './placement.ts';
import type { Stage, StageContext } from './stage.ts';
import { describeStage } from './stages.ts';

const MAX_STAGES = 1000;

/** Maximum nesting depth of pipelines, including the outermost one. */
const MAX_NESTED = 20;

export function compilePipeline(specs: readonly RawDocument[], options: PipelineOptions = {}): Pipeline {
  return foldingAfter(options.environment?.folding, () =>
    compileInside(specs, options, undefined, options.depth ?? 0),
  );
}

function compileInside(
  specs: readonly RawDocument[],
  options: PipelineOptions,
  inside: string | undefined,
  depth: number,
): Pipeline {
  checkSize(specs, depth);
  keepParts('a pipeline', 1 + specs.length);
  const { environment: around = noEnvironment, pipelineEnvironment = withoutCollections } = options;
  const stages = specs.map(writtenStage);
  if (inside !== undefined) for (const stage of stages) checkInside(stage, inside, pipelineEnvironment);
  const filter = leadingFilter(specs[0], options);
  const own = metadataFrom(stages, filter);
  const metadata = own && around.metadata ? new Set([...around.metadata, ...own]) : (own ?? around.metadata);
  const searched = own?.has('searchScore') === true;
  const environment =
    metadata === undefined
      ? around
      : { ...around, metadata, ...(searched ? { searchMeta: { value: undefined } } : {}) };
  const compiled = stages.map(({ spec, descriptor }, position): Stage => {
    const context: StageContext = {
      environment,
      pipelineEnvironment,
      position,
      filter: position === 0 && environment === around ? filter : undefined,
      depth,
      next: specs[position + 1]?.first(),
      inside,
      compile: (inner, { inside: stage, environment: inEnvironment = environment, reads }) =>
        compileInside(
          inner,
          {
            environment: reading(reads, inEnvironment, pipelineEnvironment),
            pipelineEnvironment: readingFrom(reads, pipelineEnvironment),
          },
          stage,
          depth + 1,
        ),
      describe: describeStage,
    };
    if (descriptor.compile === 'byCommand') {
      checkPositions(stages, options.view);
      throw unknownStage(spec.name);
    }
    const stage = descriptor.compile(spec, context);
    return metadata === undefined ? stage : propagatingMetadata(descriptor, stage);
  });
  const [first] = stages;
  if (inside === undefined) checkSource(first, pipelineEnvironment);
  checkPositions(stages, options.view);
  const sortAt = first?.spec.name === '$match' ? 1 : 0;
  const unsorted = compiled.toSpliced(sortAt, 1);
  return {
    filter,
    sort: specs[sortAt]?.document('$sort'),
    fields: fieldsRead(filter, compiled[sortAt]),
    run: (docs, sorted = false) =>
      (sorted ? unsorted : compiled).reduce<Iterable<RawDocument>>((input, stage) => stage(input), docs),
  };
}

function checkSize(specs: readonly RawDocument[], depth: number): void {
  if (specs.length > MAX_STAGES) {
    throw new ServerError(7749501, `Pipeline length must be no longer than ${MAX_STAGES} stages`);
  }
  if (depth > MAX_NESTED) {
    throw new ServerError(
      'MaxSubPipelineDepthExceeded',
      `Maximum number of nested sub-pipelines exceeded. Limit is ${MAX_NESTED}`,
    );
  }
}

/**
 * Returns the environment of a pipeline on another collection: it has the indexes of that collection and none of the
 * outer metadata.
 */
function reading(
  reads: Namespace | undefined,
  around: Environment,
  pipelineEnvironment: PipelineEnvironment,
): Environment {
  if (reads === undefined) return around;
  const { specialIndexes: _, metadata: __, ...others } = around;
  const specialIndexes = pipelineEnvironment.specialIndexes?.(reads);
  return specialIndexes === undefined ? others : { ...others, specialIndexes };
}

/** Returns the fields that the pipeline reads if this stage is its first, or follows only a filter. */
function fieldsRead(filter: Filter | undefined, stage: Stage | undefined): Pipeline['fields'] {
  if (filter === undefined || stage?.fields === undefined) return stage?.fields;
  const reads = new FieldReads();
  addFilterReads(reads, filter.root);
  for (const name of stage.fields) reads.add(name);
  return reads.fields;
}

/**
 * Returns the environment of a pipeline on another collection. Searches in the pipeline use the search indexes of
 * that collection, and statistics describe it.
 */
function readingFrom(reads: Namespace | undefined, around: PipelineEnvironment): PipelineEnvironment {
  if (reads === undefined) return around;
  const { search } = around;
  return {
    ...around,
    ...(search === undefined ? {} : { search: search.of(reads) }),
    collectionStats: (wanted, namespace = reads) => around.collectionStats(wanted, namespace),
    indexStats: (namespace = reads) => around.indexStats(namespace),
  };
}

function writtenStage(doc: RawDocument): WrittenStage {
  const spec = doc.first();
  if (spec === undefined || doc.after(spec) !== undefined) {
    throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const descriptor = describeStage(spec.name);
  if (descriptor === undefined) throw unknownStage(spec.name);
  return { spec, descriptor };
}

export function unknownStage(name: string): ServerError {
  return new ServerError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function leadingFilter(spec: RawDocument | undefined, { environment }: PipelineOptions): Pipeline['filter'] {
  const match = spec?.get('$match');
  return match === undefined ? undefined : compileMatch(match, environment);
}
