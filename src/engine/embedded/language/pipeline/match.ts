import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import type { Environment } from '../expression/environment.ts';
import { compileFilter } from '../filter/compile.ts';
import type { Filter } from '../filter/filter.ts';
import { documentOf } from '../raw.ts';
import type { Value } from '../value.ts';
import type { StageTable } from './pipeline.ts';

export const matchStages: StageTable = {
  $match: (spec, { environment }) => {
    const filter = compileMatch(spec, environment);
    return function* (docs) {
      for (const doc of docs) if (filter.matches(doc)) yield doc;
    };
  },
};

export function compileMatch(spec: Value, environment?: Environment): Filter {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(15959, 'the match filter must be an expression in an object');
  }
  return compileFilter(documentOf(spec), environment);
}
