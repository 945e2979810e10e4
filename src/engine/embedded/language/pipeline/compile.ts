import type { RawDocument } from '../../bson/raw.ts';
import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, noEnvironment } from '../expression/environment.ts';
import { alone } from './alone.ts';
import { compileMatch } from './match.ts';
import { carrying, metadataFrom } from './metadata.ts';
import type { Pipeline, Stage, StageContext } from './pipeline.ts';
import { checkInside, checkPlace, checkSource, sourceStages } from './place.ts';
import { stageTable } from './stages.ts';
import type { Namespace, PipelineOptions, PipelineSurroundings } from './surroundings.ts';

const stages = new Map(Object.entries(stageTable));

const MAX_STAGES = 1000;

/** Pipelines in pipelines, the outermost included. */
const MAX_NESTED = 20;

export function compilePipeline(specs: readonly RawDocument[], options: PipelineOptions = {}): Pipeline {
  return compileInside(specs, options, undefined, 0);
}

function compileInside(
  specs: readonly RawDocument[],
  options: PipelineOptions,
  inside: string | undefined,
  depth: number,
): Pipeline {
  if (specs.length > MAX_STAGES) {
    throw new ServerError(7749501, `Pipeline length must be no longer than ${MAX_STAGES} stages`);
  }
  if (depth > MAX_NESTED) {
    throw new ServerError(
      'MaxSubPipelineDepthExceeded',
      `Maximum number of nested sub-pipelines exceeded. Limit is ${MAX_NESTED}`,
    );
  }
  const { environment: around = noEnvironment, surroundings = alone } = options;
  const names = specs.map(stageName);
  if (inside !== undefined) for (const { name } of names) checkInside(name, inside);
  const filter = leadingFilter(specs[0], options);
  const metadata = metadataFrom(names, filter) ?? around.metadata;
  const environment = metadata === undefined ? around : { ...around, metadata };
  const compiled = names.map((stage, position): Stage => {
    const context: StageContext = {
      environment,
      surroundings,
      position,
      following: specs.length - position - 1,
      next: specs[position + 1]?.first(),
      inside,
      compile: (inner, { inside: stage, environment: inEnvironment = environment, reads }) =>
        compileInside(
          inner,
          { environment: reading(reads, inEnvironment, surroundings), surroundings },
          stage,
          depth + 1,
        ),
    };
    const compile = stages.get(stage.name);
    if (compile === undefined) throw unknownStage(stage.name);
    const made = compile(stage, context);
    return metadata === undefined ? made : carrying(stage.name, made);
  });
  if (inside === undefined) checkSource(names, surroundings);
  checkPlace(names, options.view);
  const sortAt = names[0]?.name === '$match' ? 1 : 0;
  const unsorted = compiled.toSpliced(sortAt, 1);
  return {
    filter,
    sort: specs[sortAt]?.document('$sort'),
    ownSource: names[0] !== undefined && sourceStages.has(names[0].name),
    run: (docs, sorted = false) =>
      (sorted ? unsorted : compiled).reduce<Iterable<RawDocument>>((input, stage) => stage(input), docs),
  };
}

/** Of the collection around neither the indexes nor what was found out about its documents count. */
function reading(
  reads: Namespace | undefined,
  around: Environment,
  surroundings: PipelineSurroundings,
): Environment {
  if (reads === undefined) return around;
  const { specialIndexes: _, metadata: __, ...others } = around;
  const specialIndexes = surroundings.specialIndexes?.(reads);
  return specialIndexes === undefined ? others : { ...others, specialIndexes };
}

function stageName(spec: RawDocument): Element {
  const first = spec.first();
  if (first === undefined || spec.after(first) !== undefined) {
    throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  if (!stages.has(first.name)) throw unknownStage(first.name);
  return first;
}

function unknownStage(name: string): ServerError {
  return new ServerError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function leadingFilter(spec: RawDocument | undefined, { environment }: PipelineOptions): Pipeline['filter'] {
  const match = spec?.get('$match');
  return match === undefined ? undefined : compileMatch(match, environment);
}
