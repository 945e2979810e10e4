import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type PipelineEnvironment, withoutCollections } from './pipeline-environment.ts';
import type { StageDescriptor, StageWithin } from './stage.ts';

/** A stage as written, with its descriptor. */
export interface WrittenStage {
  readonly spec: Element;
  readonly descriptor: StageDescriptor;
}

/** True if the stage is allowed; this may depend on its options. */
export function isWithin(allowed: StageWithin['update'], stage: Element): boolean {
  return typeof allowed === 'boolean' ? allowed : allowed(stage);
}

/** Checks that each stage is allowed at its position; the first `view` stages belong to a view. */
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

/** Checks that the first stage of the outermost pipeline has the collection that it needs, or none. */
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
  // Only `$facet` leaves the namespace as it is.
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
