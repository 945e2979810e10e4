import { ServerError } from '../../../errors/server-error.ts';
import { onlyFirst } from '../position.ts';
import type { StageDescriptor, StageTable } from '../stage.ts';
import { readsInput } from '../stage-access.ts';
import { atTheSource, carriesMetadata, searches } from '../stage-facts.ts';

/* Words and vectors are searched by an index of their own, beside the deployment; there is none. In the server's words. */
const SEARCH_NEEDED = 'Using $search and $vectorSearch aggregation stages requires additional configuration.';
export const SEARCH_INDEXES_NEEDED =
  'Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires additional configuration.';

function refuseWith(text: string): () => never {
  return () => {
    throw new ServerError('SearchNotEnabled', text);
  };
}

const search: StageDescriptor = {
  compile: refuseWith(SEARCH_NEEDED),
  source: 'collection',
  position: onlyFirst,
  within: atTheSource,
  metadata: carriesMetadata,
  fusion: searches,
  access: readsInput,
  readConcern: 'any',
  shapesPlan: false,
  stableApi: false,
};

export const searchStages: StageTable = {
  $search: search,
  $vectorSearch: search,
  $searchMeta: { ...search, fusion: 'alters' },
  $listSearchIndexes: { ...search, compile: refuseWith(SEARCH_INDEXES_NEEDED), fusion: 'alters' },
};
