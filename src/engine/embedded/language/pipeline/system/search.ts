import { ServerError } from '../../../errors/server-error.ts';
import type { CompileStage, StageTable } from '../pipeline.ts';

/** Words and vectors are searched by an index of their own, beside the deployment; there is none. */
function needsSearch(): never {
  throw new ServerError(
    'SearchNotEnabled',
    'Using $search and $vectorSearch aggregation stages requires additional configuration.',
  );
}

const compile: CompileStage = () => needsSearch();

export const searchStages: StageTable = {
  $search: compile,
  $searchMeta: compile,
  $vectorSearch: compile,
  $listSearchIndexes: compile,
};
