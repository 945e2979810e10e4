import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../expression/environment.ts';
import { checkFieldName } from '../../field-path.ts';
import { stagesOf } from '../facet.ts';
import type { Pipeline, StageContext } from '../pipeline.ts';

/** One of the pipelines whose documents are put together. */
export interface Input {
  readonly name: string;
  readonly specs: readonly RawDocument[];
  readonly pipeline: Pipeline;
}

/** What a stage asks of its inputs, with the code that each violation has. */
export interface InputRules {
  readonly stage: string;
  readonly empty: number;
  readonly nested: number;
  readonly duplicate: number;
  readonly altering: number;
  /** Throws where nothing in the pipeline ranks or scores its documents. */
  check(stages: readonly Element[]): void;
}

export const fusionStages: ReadonlySet<string> = new Set(['$rankFusion', '$scoreFusion']);

/** Stages that choose and order documents and leave them as they are. */
const selecting: ReadonlySet<string> = new Set([
  '$match',
  '$search',
  '$vectorSearch',
  '$sample',
  '$geoNear',
  '$sort',
  '$skip',
  '$limit',
  '$score',
  ...fusionStages,
]);

/** The specification of a stage that scores documents: an object. */
export function checkObject(stage: string, spec: Value): void {
  if (spec.type === bsonTypes.object) return;
  throw new ServerError(
    'FailedToParse',
    `The ${stage} stage specification must be an object, found ${typeName(spec.type)}`,
  );
}

/** Sorted by their names, in which order they are told. */
export function readInputs(pipelines: Element, rules: InputRules, context: StageContext): Input[] {
  const written = [...documentOf(pipelines)].map((element) => ({
    name: element.name,
    specs: stagesOf(element, 'TypeMismatch', 'TypeMismatch', rules.stage),
  }));
  const inputs = new Map<string, Input>();
  for (const { name, specs } of written) {
    checkStages(specs, rules);
    const { metadata: _, ...environment }: Environment = context.environment;
    const pipeline = context.compile(specs, { inside: rules.stage, environment });
    checkFieldName(name);
    if (inputs.has(name)) {
      throw new ServerError(
        rules.duplicate,
        `${rules.stage} pipeline names must be unique, but found duplicate name '${name}'.`,
      );
    }
    inputs.set(name, { name, specs, pipeline });
  }
  return [...inputs.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function checkStages(specs: readonly RawDocument[], rules: InputRules): void {
  const { stage } = rules;
  if (specs.length === 0) throw new ServerError(rules.empty, `${stage} input pipeline cannot be empty.`);
  const stages = specs.flatMap((spec) => spec.first() ?? []);
  for (const { name } of stages.slice(1)) if (fusionStages.has(name)) throw notFirst(name);
  if (fusionStages.has(stages[0]?.name ?? '')) {
    throw new ServerError(rules.nested, `${stage} input pipeline has a nested hybrid search stage.`);
  }
  rules.check(stages);
  const altering = stages.find(alters);
  if (altering === undefined) return;
  throw new ServerError(
    rules.altering,
    `${altering.name} cannot be in an input pipeline of ${stage}. ` +
      'Only stages that retrieve, limit, or order documents are allowed.',
  );
}

function alters(stage: Element): boolean {
  if (!selecting.has(stage.name)) return true;
  if (stage.name !== '$geoNear' || stage.type !== bsonTypes.object) return false;
  const options = documentOf(stage);
  return options.has('distanceField') || options.has('includeLocs');
}

export function notFirst(name: string): ServerError {
  return new ServerError(10170100, `${name} must be the first stage in the pipeline`);
}
