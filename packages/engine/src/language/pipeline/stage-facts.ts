import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { boolOf } from '../../bson/value.ts';
import type { FusionInput, StageMetadata, StageWithin } from './stage.ts';

/** Answers that many stages give to the questions of `StageDescriptor`. */

/** A stage that reads and writes nothing but documents that come in. */
export const inQueries: StageWithin = {
  facet: true,
  stages: 'allowed',
  view: 'allowed',
  update: false,
  changeStream: false,
  transaction: true,
};

/** The same for one that makes one document of each. */
export const inQueriesAndUpdates: StageWithin = { ...inQueries, update: true, changeStream: true };

/** A stage that makes documents of its own. */
export const atTheSource: StageWithin = { ...inQueries, facet: false };

/** The same for one that needs no collection. */
export const withoutCollection: StageWithin = { ...atTheSource, stages: 'needsNoCollection' };

export const carriesMetadata: StageMetadata = { gives: () => [], carries: true };

export const dropsMetadata: StageMetadata = { gives: () => [], carries: false };

/** An input of a fusion that neither ranks nor scores documents. */
export const chooses: FusionInput = {
  leavesAsTheyAre: () => true,
  ranks: 'nowhere',
  scores: 'nowhere',
  ties: undefined,
};

/** The condition of a search, with which an input is ranked and scored. */
export const searches: FusionInput = { ...chooses, ranks: 'first', scores: 'first' };

/** For stages that leave a score beside each document, and where it is asked for what that was made of. */
export const givesScore: StageMetadata = {
  gives(stage) {
    if (stage.type !== bsonTypes.object) return [];
    const wanted = documentOf(stage).get('scoreDetails');
    return wanted?.type === bsonTypes.bool && boolOf(wanted) ? ['score', 'scoreDetails'] : ['score'];
  },
  carries: true,
};
