import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../environment.ts';
import { checkFieldName } from '../../field-path.ts';
import { stagesOf } from '../facet.ts';
import type { Pipeline } from '../pipeline.ts';
import { notFirst, onlyFirstAsked } from '../position.ts';
import type { FusionRole, StageContext, StageDescriptor } from '../stage.ts';
import { optionsOf, readsInput, stagesIn } from '../stage-access.ts';
import { givesScore, inQueries } from '../stage-facts.ts';

/** The descriptor fields that `$rankFusion` and `$scoreFusion` share. */
export const fusesInputs: Omit<StageDescriptor, 'compile'> = {
  source: 'input',
  position: onlyFirstAsked,
  within: inQueries,
  metadata: givesScore,
  fusion: 'fuses',
  access: { ...readsInput, pipelines: inputPipelines },
  readConcern: 'any',
  shapesPlan: false,
  stableApi: false,
};

/** One of the combined pipelines. */
export interface Input {
  readonly name: string;
  readonly specs: readonly RawDocument[];
  readonly pipeline: Pipeline;
}

/** The requirements on the inputs, and the error code for each violation. */
export interface InputRules {
  readonly stage: string;
  readonly empty: number;
  readonly nested: number;
  readonly duplicate: number;
  readonly altering: number;
  /** Whether each input must rank or score its documents. */
  readonly needs: 'ranks' | 'scores';
  /** Creates the error for an input that does not rank or score its documents. */
  missing(): ServerError;
}

/** Checks that the specification is an object. */
export function checkObject(stage: string, spec: Value): void {
  if (spec.type === bsonTypes.object) return;
  throw new ServerError(
    'FailedToParse',
    `The ${stage} stage specification must be an object, found ${typeName(spec.type)}`,
  );
}

/** Reads the inputs and sorts them by name. Score details list the inputs in this order. */
export function readInputs(pipelines: Element, rules: InputRules, context: StageContext): Input[] {
  const written = [...documentOf(pipelines)].map((element) => ({
    name: element.name,
    specs: stagesOf(element, 'TypeMismatch', 'TypeMismatch', rules.stage),
  }));
  if (written.length === 0) {
    throw new ServerError('BadValue', `${rules.stage} requires at least one input pipeline`);
  }
  const inputs = new Map<string, Input>();
  for (const { name, specs } of written) {
    checkStages(specs, rules, context);
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

function checkStages(
  specs: readonly RawDocument[],
  { stage, empty, nested, altering, needs, missing }: InputRules,
  { describe }: StageContext,
): void {
  if (specs.length === 0) throw new ServerError(empty, `${stage} input pipeline cannot be empty.`);
  const stages = specs
    .flatMap((spec) => spec.first() ?? [])
    .map((spec) => ({ spec, role: describe(spec.name)?.fusion ?? 'alters' }));
  for (const { spec, role } of stages.slice(1)) if (role === 'fuses') throw notFirst(spec.name);
  if (stages[0]?.role === 'fuses') {
    throw new ServerError(nested, `${stage} input pipeline has a nested hybrid search stage.`);
  }
  const fits = ({ role }: { role: FusionRole }, i: number) =>
    typeof role === 'object' && (role[needs] === 'anywhere' || (role[needs] === 'first' && i === 0));
  if (!stages.some(fits)) throw missing();
  const found = stages.find(({ spec, role }) => typeof role !== 'object' || !role.leavesAsTheyAre(spec));
  if (found === undefined) return;
  throw new ServerError(
    altering,
    `${found.spec.name} cannot be in an input pipeline of ${stage}. ` +
      'Only stages that retrieve, limit, or order documents are allowed.',
  );
}

/** Returns the input pipelines of a fusion before they are validated. */
function inputPipelines(stage: Element): ReadonlyArray<readonly RawDocument[]> {
  const input = optionsOf(stage).get('input');
  const pipelines = input && optionsOf(input).get('pipelines');
  return pipelines === undefined ? [] : [...optionsOf(pipelines)].map(stagesIn);
}
