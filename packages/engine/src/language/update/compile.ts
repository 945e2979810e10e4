import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileModifiers } from './modifiers.ts';
import { compilePipelineUpdate } from './pipeline.ts';
import { compileReplacement } from './replacement.ts';
import type { Update, UpdateOptions } from './update.ts';

/**
 * Compiles an update. If the first field of a document is an operator, the document contains modifiers; otherwise, it
 * is a replacement. An array is a pipeline.
 */
export function compileUpdate(update: RawDocument | Value, options: UpdateOptions = {}): Update {
  const { arrayFilters = [] } = options;
  if (!(update instanceof RawDocument)) {
    if (update.type === bsonTypes.array) {
      refuseFilters(arrayFilters, 'pipeline-style');
      return compilePipelineUpdate(entriesOf(update), options);
    }
    return compileUpdate(documentOf(update), options);
  }
  if (update.first()?.name.startsWith('$')) return compileModifiers(update, options);
  refuseFilters(arrayFilters, 'replacement-style');
  return compileReplacement(update);
}

function refuseFilters(filters: readonly RawDocument[], style: string): void {
  if (filters.length === 0) return;
  throw new ServerError('FailedToParse', `Cannot specify arrayFilters and a ${style} update`);
}
