import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { boolOf } from '../../bson/value.ts';
import { anywhere, onlyLast } from './position.ts';
import type { FusionInput, StageDescriptor, StageMetadata, StageWithin } from './stage.ts';
import { readsInput } from './stage-access.ts';

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
const inQueriesAndUpdates: StageWithin = { ...inQueries, update: true, changeStream: true };

/** A stage that is a source of documents. */
export const atTheSource: StageWithin = { ...inQueries, facet: false };

/** Like `atTheSource`, for stages without a collection. */
export const withoutCollection: StageWithin = { ...atTheSource, stages: 'needsNoCollection' };

export const carriesMetadata: StageMetadata = { provides: () => [], carries: true };

export const dropsMetadata: StageMetadata = { provides: () => [], carries: false };

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
  provides(stage) {
    if (stage.type !== bsonTypes.object) return [];
    const wanted = documentOf(stage).get('scoreDetails');
    return wanted?.type === bsonTypes.bool && boolOf(wanted) ? ['score', 'scoreDetails'] : ['score'];
  },
  carries: true,
};

/** The facts of a stage, without its implementation. */
type StageFacts = Omit<StageDescriptor, 'compile'>;

/** A stage that groups or counts its documents. */
export const groupsInput: StageFacts = {
  source: 'input',
  position: anywhere,
  within: inQueries,
  metadata: dropsMetadata,
  fusion: 'alters',
  access: readsInput,
  readConcern: 'any',
  shapesPlan: true,
  stableApi: true,
};

/** A stage that changes each document by itself. */
export const changesEach: StageFacts = {
  source: 'input',
  position: anywhere,
  within: inQueriesAndUpdates,
  metadata: carriesMetadata,
  fusion: 'alters',
  access: readsInput,
  readConcern: 'any',
  shapesPlan: false,
  stableApi: true,
};

/** A stage that selects documents by their position. */
export const selects: StageFacts = {
  source: 'input',
  position: anywhere,
  within: inQueries,
  metadata: carriesMetadata,
  fusion: chooses,
  access: readsInput,
  readConcern: 'any',
  shapesPlan: false,
  stableApi: true,
};

/** A stage that writes its documents to a collection; `access` says how. */
export const writesOutput: StageFacts = {
  source: 'input',
  position: onlyLast,
  within: { ...inQueries, facet: false, stages: 'refused', view: 'refused', transaction: false },
  metadata: carriesMetadata,
  fusion: 'alters',
  access: readsInput,
  readConcern: 'notLinearizable',
  shapesPlan: false,
  stableApi: true,
};
