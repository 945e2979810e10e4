import { typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { cursorOptions } from '../shared/cursor-options.ts';
import { byType, notNull, required } from '../shared/field-builders.ts';
import { fields } from '../shared/fields.ts';
import { isGeneric } from '../shared/generic-names.ts';

/** The collection that a pipeline reads, or the number 1 for the whole database. */
const pipelineSource = required(
  notNull(
    byType(
      {
        string: textOf,
        number(value): 1 {
          if (toNumber(value) === 1) return 1;
          throw new ServerError(
            'BadValue',
            "Invalid command format: the 'aggregate' field must specify a collection name or 1",
          );
        },
      },
      ({ type }) => new ServerError('InvalidNamespace', `collection name has invalid type ${typeName(type)}`),
    ),
  ),
);

/** The options of the cursor. Null is an error. */
const pipelineCursor = notNull(
  byType(
    { object: cursorOptions.read },
    () => new ServerError('TypeMismatch', 'cursor field must be missing or an object'),
  ),
);

export const aggregateFields = {
  aggregate: pipelineSource,
  pipeline: 'stages!',
  cursor: pipelineCursor,
  allowDiskUse: 'flag',
  bypassDocumentValidation: 'truth',
  collation: 'object',
  collectionUUID: 'uuid',
  encryptionInformation: 'object',
  explain: 'flag',
  hint: 'hint',
  includeQueryStatsMetrics: 'truth',
  let: 'object',
} as const;

const aggregateReader = fields('aggregate', aggregateFields, isGeneric);

/** Checks the arguments of an aggregation within the command `explain`, whose field `explain` must not say so again. */
export function checkExplainedAggregate(body: RawDocument): void {
  const args = aggregateReader.read(body);
  if (args.explain) {
    throw new ServerError(
      'FailedToParse',
      "The 'explain' option is illegal when a explain verbosity is also provided",
    );
  }
  batchSizeOf({ ...args, explain: body.has('explain') });
  rejectWriteConcern(body);
}

/** Throws if an aggregation that is only explained has a write concern. */
export function rejectWriteConcern(body: RawDocument): void {
  if (!body.has('writeConcern')) return;
  throw new ServerError('FailedToParse', "Aggregation explain does not support the 'writeConcern' option");
}

/** Returns the batch size. Throws if the cursor is missing, which only an explained aggregation may omit. */
export function batchSizeOf({ cursor, explain }: PipelineArguments): number | undefined {
  if (cursor !== undefined || explain) return cursor?.batchSize;
  throw new ServerError(
    'FailedToParse',
    "The 'cursor' option is required, except for aggregate with the explain argument",
  );
}

interface PipelineArguments {
  readonly cursor?: { readonly batchSize?: number };
  readonly explain?: boolean;
}
