import { ServerError } from '../../server-error.ts';
import type { OperatorTable } from './operator.ts';

/** Distances need an index of places, and there is none. */
function needsIndex(): never {
  throw new ServerError('NoQueryExecutionPlans', 'unable to find index for $geoNear query');
}

export const spatialOperators: OperatorTable = { $near: needsIndex, $nearSphere: needsIndex };
