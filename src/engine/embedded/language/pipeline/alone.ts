import { ServerError } from '../../errors/server-error.ts';
import type { PipelineSurroundings } from './surroundings.ts';

function refuse(): never {
  throw new ServerError('IllegalOperation', 'this pipeline cannot write');
}

/** Surroundings without any collection. */
export const alone: PipelineSurroundings = {
  namespace: { database: '', collection: '' },
  read: () => [],
  replaceCollection: refuse,
  uniqueKeys: () => [{ fields: ['_id'], sparse: false }],
  replaceOne: refuse,
  insertOne: refuse,
  collectionStats: () => [],
  indexStats: () => [],
};
