import { ServerError } from '../../server-error.ts';
import type { RawDocument } from '../raw.ts';
import type { Element } from '../value.ts';
import { groupStages } from './group.ts';
import { compileMatch, matchStages } from './match.ts';
import { orderStages } from './order.ts';
import type { CompileStage, Pipeline, Stage } from './pipeline.ts';
import { shapeStages } from './shape.ts';

const stages = new Map<string, CompileStage>(
  Object.entries({ ...matchStages, ...orderStages, ...shapeStages, ...groupStages }),
);

const MAX_STAGES = 1000;

export function compilePipeline(specs: readonly RawDocument[]): Pipeline {
  if (specs.length > MAX_STAGES) {
    throw new ServerError(7749501, `Pipeline length must be no longer than ${MAX_STAGES} stages`);
  }
  const compiled = specs.map((spec, i) => compileStage(spec, specs[i + 1]?.first()));
  return {
    filter: leadingFilter(specs[0]),
    run: (docs) => compiled.reduce<Iterable<RawDocument>>((input, stage) => stage(input), docs),
  };
}

function compileStage(spec: RawDocument, next: Element | undefined): Stage {
  const first = spec.first();
  if (first === undefined || spec.after(first) !== undefined) {
    throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const compile = stages.get(first.name);
  if (compile === undefined) {
    throw new ServerError(40324, `Unrecognized pipeline stage name: '${first.name}'`);
  }
  return compile(first, next);
}

function leadingFilter(spec: RawDocument | undefined): Pipeline['filter'] {
  const match = spec?.get('$match');
  return match === undefined ? undefined : compileMatch(match);
}
