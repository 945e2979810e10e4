import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { boolOf } from '../../bson/value.ts';
import { anywhere, onlyLast } from './position.ts';
import type { FusionInput, StageDescriptor, StageMetadata, StageWithin } from './stage.ts';
import { readsInput } from './stage-access.ts';

/** This file contains values that many stage descriptors share. */

/** For stages that only process incoming documents and write nothing: the pipelines that may contain them. */
export const inQueries: StageWithin = {
  facet: true,
  stages: 'allowed',
  view: 'allowed',
  update: false,
  changeStream: false,
  transaction: true,
};

/** Like `inQueries`, for stages that produce one document per input document. */
const inQueriesAndUpdates: StageWithin = { ...inQueries, update: true, changeStream: true };

/** For stages that are a source of documents: the pipelines that may contain them. */
export const atTheSource: StageWithin = { ...inQueries, facet: false };

/** Like `atTheSource`, for stages that read no collection. */
export const withoutCollection: StageWithin = { ...atTheSource, stages: 'needsNoCollection' };

export const carriesMetadata: StageMetadata = { provides: () => [], carries: true };

export const dropsMetadata: StageMetadata = { provides: () => [], carries: false };

/** The fusion role of stages that keep documents unchanged, but neither rank nor score them. */
export const chooses: FusionInput = {
  leavesAsTheyAre: () => true,
  ranks: 'nowhere',
  scores: 'nowhere',
  ties: undefined,
};

/** The fusion role of search stages, which rank and score an input if they are its first stage. */
export const searches: FusionInput = { ...chooses, ranks: 'first', scores: 'first' };

/** The metadata of stages that assign a score and, if requested, its details. */
export const givesScore: StageMetadata = {
  provides(stage) {
    if (stage.type !== bsonTypes.object) return [];
    const wanted = documentOf(stage).get('scoreDetails');
    return wanted?.type === bsonTypes.bool && boolOf(wanted) ? ['score', 'scoreDetails'] : ['score'];
  },
  carries: true,
};

/** The descriptor of a stage without its implementation. */
type StageFacts = Omit<StageDescriptor, 'compile'>;

/** The descriptor of stages that group or count documents. */
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

/** The descriptor of stages that change each document independently. */
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

/** The descriptor of stages that select documents by position. */
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

/** For stages that write documents to a collection. `access` describes the target. */
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
