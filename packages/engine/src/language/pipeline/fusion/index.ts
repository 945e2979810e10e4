import type { StageTable } from '../stage.ts';
import { rankFusionStages } from './rank.ts';
import { scoreStages } from './score.ts';
import { scoreFusionStages } from './score-fusion.ts';

/** Stages that score documents or combine several ranked or scored pipelines. */
export const fusionStageTable: StageTable = { ...rankFusionStages, ...scoreFusionStages, ...scoreStages };
