import { bsonTypes } from '../../bson/bson-types.ts';
import { boolOf, type Value } from '../../bson/value.ts';
import { anywhere, onlyFirst } from './position.ts';
import type { StageTable } from './stage.ts';
import { type NeededPrivilege, optionsOf, readsInput } from './stage-access.ts';
import { atTheSource, carriesMetadata, inQueries } from './stage-facts.ts';

/** Stages of change streams, which `aggregate` opens. */
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

/** What the stable API does not have, whatever is said of it. */
const unstable = ['showMigrationEvents', 'showExpandedEvents'];

/** Whoever watches a database reads it too, and all of them where it is the deployment. */
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
