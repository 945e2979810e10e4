import { bsonTypes } from '../../bson/bson-types.ts';
import { boolOf, type Value } from '../../bson/value.ts';
import { anywhere, onlyFirst } from './position.ts';
import type { StageTable } from './stage.ts';
import { type NeededPrivilege, optionsOf, readsInput } from './stage-access.ts';
import { atTheSource, carriesMetadata, inQueries } from './stage-facts.ts';

/** Stages of change streams, which the command `aggregate` runs. */
export const changeStreamStages: StageTable = {
  $changeStream: {
    compile: 'byCommand',
    source: 'collection',
    position: onlyFirst,
    within: { ...atTheSource, stages: 'refused', view: 'refused', transaction: false },
    metadata: carriesMetadata,
    fusion: 'alters',
    access: { ...readsInput, onSource: mayWatch },
    readConcern: 'majority',
    shapesPlan: false,
    stableApi: (stage) => unstable.every((option) => !optionsOf(stage).has(option)),
  },
  $changeStreamSplitLargeEvent: {
    compile: 'byCommand',
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

/** Options that are not part of the stable API. */
const unstable = ['showMigrationEvents', 'showExpandedEvents'];

/**
 * Returns the privileges to watch a collection, a database (read access to all of it) or the deployment (read access
 * to all databases).
 */
function mayWatch(stage: Value, database: string, collection: string): NeededPrivilege[] {
  if (collection !== '') return [{ action: 'changeStream', database, collection }];
  if (stage.type !== bsonTypes.object) return [];
  const all = optionsOf(stage).get('allChangesForCluster');
  const isAll = all?.type === bsonTypes.bool && boolOf(all);
  return ['changeStream', 'find'].map((action) => ({
    action,
    database: isAll ? '' : database,
    collection: '',
  }));
}
