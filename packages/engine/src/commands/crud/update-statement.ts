import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../../language/environment.ts';
import { unknownStage } from '../../language/pipeline/compile.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import type { UpdateOptions } from '../../language/update/index.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { withConstants } from '../shared/environment.ts';
import { notNull, ofTypes, required } from '../shared/field-builders.ts';
import { type Fields, fields } from '../shared/fields.ts';

/** The update of a statement: a document, or an array of stages. */
export const updateValue = notNull(
  ofTypes(
    ['object', 'array'],
    () => new ServerError('FailedToParse', 'Update argument must be either an object or an array'),
  ),
);

const statementFields = {
  q: 'object!',
  u: required(updateValue),
  c: 'object',
  multi: 'truth',
  upsert: 'truth',
  upsertSupplied: 'truth',
  arrayFilters: 'documents',
  collation: 'object',
  hint: 'objectOrString',
  sort: 'object',
  sampleId: 'any',
  allowShardKeyUpdatesWithoutFullShardKeyInQuery: 'truth',
} as const;

export const updateReader = fields('update.updates', statementFields);

export type UpdateStatement = Fields<typeof statementFields>;

export function checkStatement({ multi, sort }: Pick<UpdateStatement, 'multi' | 'sort'>): void {
  if (multi && sort !== undefined) {
    throw new ServerError('FailedToParse', 'Cannot specify sort with multi=true');
  }
}

/** Throws for unknown stages. Such a stage makes the whole command fail, not only its statement. */
export function checkStages({ u }: Pick<UpdateStatement, 'u'>): void {
  if (u.type !== bsonTypes.array) return;
  for (const entry of entriesOf(u)) {
    const name = entry.type === bsonTypes.object ? documentOf(entry).first()?.name : undefined;
    if (name !== undefined && describeStage(name) === undefined) throw unknownStage(name);
  }
}

/** Returns the options for compiling the update of a statement. */
export function updateOptions(
  { u, update = u, c, arrayFilters }: ChangeStatement,
  environment: Environment,
  { clock }: ClusterContext,
): UpdateOptions {
  if (c !== undefined && update?.type !== bsonTypes.array) {
    throw new ServerError(51198, 'Constant values may only be specified for pipeline updates');
  }
  return {
    environment: withConstants(environment, c),
    now: clock.now,
    ...(arrayFilters ? { arrayFilters } : {}),
  };
}

interface ChangeStatement {
  readonly u?: Value;
  readonly update?: Value;
  readonly c?: RawDocument;
  readonly arrayFilters?: readonly RawDocument[];
}
