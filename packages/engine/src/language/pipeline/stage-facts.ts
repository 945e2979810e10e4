import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { boolOf } from '../../bson/value.ts';
import type { FusionInput, StageMetadata, StageWithin } from './stage.ts';

/** Values that many stage descriptors share. */

/** A stage that only reads incoming documents and writes nothing. */
export const inQueries: StageWithin = {
  facet: true,
  stages: 'allowed',
  view: 'allowed',
  update: false,
  changeStream: false,
  transaction: true,
};

/** Like `inQueries`, for stages that produce one document for each. */
export const inQueriesAndUpdates: StageWithin = { ...inQueries, update: true, changeStream: true };

/** A stage that is a source of documents. */
export const atTheSource: StageWithin = { ...inQueries, facet: false };

/** Like `atTheSource`, for stages without a collection. */
export const withoutCollection: StageWithin = { ...atTheSource, stages: 'needsNoCollection' };

export const carriesMetadata: StageMetadata = { gives: () => [], carries: true };

export const dropsMetadata: StageMetadata = { gives: () => [], carries: false };

/** A fusion input that neither ranks nor scores documents. */
export const chooses: FusionInput = {
  leavesAsTheyAre: () => true,
  ranks: 'nowhere',
  scores: 'nowhere',
  ties: undefined,
};

/** A search stage, which ranks and scores an input if it is its first stage. */
export const searches: FusionInput = { ...chooses, ranks: 'first', scores: 'first' };

/** For stages that assign a score and, on request, its details. */
export const givesScore: StageMetadata = {
  gives(stage) {
    if (stage.type !== bsonTypes.object) return [];
    const wanted = documentOf(stage).get('scoreDetails');
    return wanted?.type === bsonTypes.bool && boolOf(wanted) ? ['score', 'scoreDetails'] : ['score'];
  },
  carries: true,
};
