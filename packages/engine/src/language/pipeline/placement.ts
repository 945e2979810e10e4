import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type PipelineEnvironment, withoutCollections } from './pipeline-environment.ts';
import type { StageDescriptor, StageWithin } from './stage.ts';

/** A stage specification with the descriptor of its stage. */
export interface WrittenStage {
  readonly spec: Element;
  readonly descriptor: StageDescriptor;
}

/** True if the stage is allowed. This may depend on the options of the stage. */
export function isWithin(allowed: StageWithin['update'], stage: Element): boolean {
  return typeof allowed === 'boolean' ? allowed : allowed(stage);
}

/** Checks that each stage is allowed at its position. The first `view` stages come from the definition of a view. */
export function checkPositions(stages: readonly WrittenStage[], view = 0): void {
  const specs = stages.map(({ spec }) => spec);
  stages.forEach(({ spec, descriptor }, i) => {
    descriptor.position(spec.name, {
      before: specs.slice(0, i),
      following: specs.length - i - 1,
      view,
    });
  });
}

/**
 * Checks the source of the outermost pipeline: either the first stage reads a collection, or the command is
 * `{aggregate: 1}`.
 */
export function checkSource(first: WrittenStage | undefined, pipelineEnvironment: PipelineEnvironment): void {
  if (pipelineEnvironment === withoutCollections) return;
  const independent = first?.descriptor.source === 'noCollection';
  const { collection } = pipelineEnvironment.namespace;
  if (independent === (collection === '')) return;
  if (independent) throw needsNoCollection(first.spec.name);
  throw new ServerError(
    'InvalidNamespace',
    first === undefined
      ? '{aggregate: 1} is not valid for an empty pipeline.'
      : `{aggregate: 1} is not valid for '${first.spec.name}'; a collection is required.`,
  );
}

export function needsNoCollection(name: string): ServerError {
  return new ServerError('InvalidNamespace', `'${name}' can only be run with {aggregate: 1}`);
}

/** Checks that a stage is allowed in the pipeline of the enclosing stage. */
export function checkInside(
  { spec: { name }, descriptor: { within } }: WrittenStage,
  inside: string,
  { namespace }: PipelineEnvironment,
): void {
  // All stages but `$facet` run their pipelines on a collection; `$facet` keeps the namespace of the outer pipeline.
  const isOnCollection = inside !== '$facet' || namespace.collection !== '';
  if (within.stages === 'needsNoCollection' && isOnCollection) throw needsNoCollection(name);
  if (inside === '$facet' && !within.facet) {
    throw new ServerError(40600, `${name} is not allowed to be used within a $facet stage`);
  }
  if (within.stages === 'allowed') return;
  if (inside === '$lookup') {
    throw new ServerError(51047, `${name} is not allowed within a $lookup's sub-pipeline`);
  }
  if (inside === '$unionWith' && within.stages === 'refused') {
    throw new ServerError(31441, `${name} is not allowed within a $unionWith's sub-pipeline`);
  }
}
