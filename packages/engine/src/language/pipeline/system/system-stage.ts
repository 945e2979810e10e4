import { onlyFirst } from '../position.ts';
import type { StageDescriptor } from '../stage.ts';
import { carriesMetadata, withoutCollection } from '../stage-facts.ts';

type Shared = 'source' | 'position' | 'within' | 'metadata' | 'fusion' | 'shapesPlan' | 'stableApi';

/** The common part of all stages that describe the deployment; they require `{aggregate: 1}`. */
export const aboutDeployment: Pick<StageDescriptor, Shared> = {
  source: 'noCollection',
  position: onlyFirst,
  within: withoutCollection,
  metadata: carriesMetadata,
  fusion: 'alters',
  shapesPlan: false,
  stableApi: false,
};
