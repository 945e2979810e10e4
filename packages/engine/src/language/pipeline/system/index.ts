import type { StageTable } from '../stage.ts';
import { catalogStages } from './catalog.ts';
import { statisticsStages } from './collection.ts';
import { operationStages } from './operations.ts';
import { planStages } from './plans.ts';
import { queryStages } from './queries.ts';
import { searchStages } from './search.ts';
import { sessionStages } from './sessions.ts';

/** Stages that begin a pipeline with information about the deployment. */
export const systemStages: StageTable = {
  ...catalogStages,
  ...statisticsStages,
  ...operationStages,
  ...planStages,
  ...queryStages,
  ...searchStages,
  ...sessionStages,
};
