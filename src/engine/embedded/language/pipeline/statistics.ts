import { ServerError } from '../../server-error.ts';
import { bsonTypes, typeName } from '../bson-types.ts';
import { documentOf } from '../raw.ts';
import type { StageTable } from './pipeline.ts';

/** What collections tell about themselves. */
export const statisticsStages: StageTable = {
  $collStats: (spec, { surroundings }) => {
    if (spec.type !== bsonTypes.object) {
      throw new ServerError(
        5447000,
        `$collStats must take a nested object but found a ${typeName(spec.type)}`,
      );
    }
    const options = documentOf(spec);
    return () => surroundings.collectionStats(options);
  },
  $indexStats: (spec, { surroundings }) => {
    if (spec.type !== bsonTypes.object || !documentOf(spec).isEmpty) {
      throw new ServerError(28803, 'The $indexStats stage specification must be an empty object');
    }
    return () => surroundings.indexStats();
  },
};
