import { ServerError } from '../../../errors/server-error.ts';
import { onlyFirst } from '../position.ts';
import type { StageDescriptor, StageTable } from '../stage.ts';
import { readsInput } from '../stage-access.ts';
import { atTheSource, carriesMetadata, searches } from '../stage-facts.ts';

/** Words and vectors are searched by an index of their own, beside the deployment; there is none. */
function needsSearch(): never {
  throw new ServerError(
    'SearchNotEnabled',
    'Using $search and $vectorSearch aggregation stages requires additional configuration.',
  );
}

const search: StageDescriptor = {
  compile: () => needsSearch(),
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
  $listSearchIndexes: { ...search, fusion: 'alters' },
};
