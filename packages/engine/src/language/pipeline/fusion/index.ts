import type { StageTable } from '../stage.ts';
import { rankFusionStages } from './rank.ts';
import { scoreStages } from './score.ts';
import { scoreFusionStages } from './score-fusion.ts';

/** Stages that give documents scores, and put several ranked or scored pipelines together. */
export const fusionStageTable: StageTable = { ...rankFusionStages, ...scoreFusionStages, ...scoreStages };
