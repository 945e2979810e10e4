import { bucketAutoStages } from './bucket-auto.ts';
import { bucketStages } from './buckets.ts';
import { changeStreamStages } from './change-stream.ts';
import { densifyStages } from './densify/stage.ts';
import { documentsStages } from './documents.ts';
import { facetStages } from './facet.ts';
import { fieldStages } from './fields.ts';
import { fillStages } from './fill.ts';
import { fusionStageTable } from './fusion/index.ts';
import { geoNearStages } from './geo-near.ts';
import { graphLookupStages } from './graph-lookup.ts';
import { groupStages } from './group.ts';
import { lookupStages } from './lookup.ts';
import { matchStages } from './match.ts';
import { mergeStages } from './merge.ts';
import { orderStages } from './order.ts';
import { outputStages } from './output.ts';
import { redactStages } from './redact.ts';
import { sampleStages } from './sample.ts';
import { shapeStages } from './shape.ts';
import type { StageDescriptor, StageTable } from './stage.ts';
import { systemStages } from './system/index.ts';
import { unionStages } from './union.ts';
import { unwindStages } from './unwind.ts';
import { windowStages } from './window/stage.ts';

export const stageTable: StageTable = {
  ...matchStages,
  ...geoNearStages,
  ...orderStages,
  ...shapeStages,
  ...fieldStages,
  ...groupStages,
  ...bucketStages,
  ...bucketAutoStages,
  ...facetStages,
  ...unwindStages,
  ...sampleStages,
  ...redactStages,
  ...lookupStages,
  ...graphLookupStages,
  ...unionStages,
  ...outputStages,
  ...mergeStages,
  ...systemStages,
  ...windowStages,
  ...documentsStages,
  ...densifyStages,
  ...fillStages,
  ...fusionStageTable,
  ...changeStreamStages,
};

const stages = new Map(Object.entries(stageTable));

export function describeStage(name: string): StageDescriptor | undefined {
  return stages.get(name);
}
