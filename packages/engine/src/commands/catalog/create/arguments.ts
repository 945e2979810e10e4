import { inRange, nested } from '../../shared/field-builders.ts';
import type { Fields } from '../../shared/fields.ts';
import { clusteredIndex } from './clustered-index.ts';
import { encryptedFields } from './encrypted-fields.ts';
import { idIndex } from './id-index.ts';
import { images, validationAction, validationLevel, viewPipeline } from './option-types.ts';
import { seriesFields } from './series-fields.ts';
import { indexOptionDefaults, storageEngine } from './storage-engine.ts';

export const createFields = {
  create: 'collection!',
  autoIndexId: 'truth',
  capped: 'truth',
  changeStreamPreAndPostImages: images,
  clusteredIndex,
  collation: 'object',
  encryptedFields,
  expireAfterSeconds: 'int',
  flags: 'int',
  idIndex,
  indexOptionDefaults,
  max: 'int',
  pipeline: viewPipeline,
  recordIdsReplicated: 'truth',
  size: inRange('int', 1),
  storageEngine,
  temp: 'truth',
  timeseries: nested(seriesFields),
  validationAction,
  validationLevel,
  validator: 'object',
  viewOn: 'string',
} as const;

export type CreateArguments = Fields<typeof createFields>;
