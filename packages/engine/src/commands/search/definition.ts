import { isStorableText } from '@portolan/foundation/storable-text';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import {
  MAX_DEFINITION_BYTES,
  MAX_DEFINITIONS_BYTES,
  MAX_INDEX_NAME,
  MAX_INDEXES,
  SearchDefinitionError,
} from '../../interface/search/index.ts';
import { parsedDefinition, requireNewDefinition } from '../../search/mapping/parsed-definition.ts';
import { searchError } from '../../search/query/errors.ts';
import { Spec } from '../../search/query/spec.ts';
import type { SearchIndexRow, SearchIndexTable, SearchIndexType } from '../../storage/search-index-table.ts';

/** A requested index. */
export interface NewIndex {
  readonly id: string | undefined;
  readonly name: string;
  readonly type: SearchIndexType;
  readonly definition: RawDocument;
  readonly analyzers: RawDocument | undefined;
}

/** Reads a requested index. Only the service may pass an index with an id that it already knows. */
export function readNewIndex(index: RawDocument, at: number, isOfService: boolean): NewIndex {
  const spec = new Spec(index, `userCommand.indexes[${at}]`);
  const name = spec.string('name') ?? 'default';
  if (name === '') throw searchError(`"${spec.name('name')}" cannot be empty`);
  if (name.length > MAX_INDEX_NAME)
    throw searchError(`"${spec.name('name')}" cannot be longer than ${MAX_INDEX_NAME} letters`);
  requireStorable(name, spec.name('name'));
  const type = spec.oneOf('type', ['search', 'vectorSearch']) ?? 'search';
  const definition = spec.requiredDocument('definition').doc;
  const id = spec.string('id');
  if (id !== undefined) requireStorable(id, spec.name('id'));
  const analyzers = spec.document('analyzers')?.doc;
  spec.finish();
  checkDefinition(type, definition, spec.name('definition'), analyzers, isOfService && id !== undefined);
  return { id, name, type, definition, analyzers };
}

/**
 * Throws if PostgreSQL cannot store a text. The service lists indexes in its own database, and the text type of
 * PostgreSQL accepts fewer characters than BSON.
 */
function requireStorable(text: string, at: string): void {
  if (!isStorableText(text)) throw searchError(`"${at}" cannot contain NUL, or half of a surrogate pair`);
}

type Defined = Pick<SearchIndexRow, 'analyzers' | 'definition'>;

const sizeOf = ({ definition, analyzers }: Defined) => definition.length + (analyzers?.length ?? 0);

/** Throws if a cluster would have too many or too large indexes. `replaced` is the previous version of an index. */
export function checkTotals(table: SearchIndexTable, added: readonly Defined[], replaced?: Defined): void {
  const { count, bytes } = table.totals();
  if (count + added.length - (replaced ? 1 : 0) > MAX_INDEXES)
    throw searchError(`a cluster cannot have more than ${MAX_INDEXES} search indexes`);
  const size = added.reduce((sum, one) => sum + sizeOf(one), bytes - (replaced ? sizeOf(replaced) : 0));
  if (size > MAX_DEFINITIONS_BYTES)
    throw searchError(
      `the definitions of all search indexes of a cluster cannot be larger than ${MAX_DEFINITIONS_BYTES} bytes`,
    );
}

/**
 * Throws if no index can be built from the definition. `analyzers` are the custom analyzers of the cluster. `isKnown`
 * is true if the service already knows the index and creates it again, for example after a restore. An earlier version
 * may have accepted such a definition under other limits.
 */
export function checkDefinition(
  type: SearchIndexType,
  definition: RawDocument,
  at: string,
  analyzers: RawDocument | undefined,
  isKnown: boolean,
): void {
  if (!isKnown && sizeOf({ definition, analyzers }) > MAX_DEFINITION_BYTES)
    throw searchError(`"${at}" cannot be larger than ${MAX_DEFINITION_BYTES} bytes`);
  try {
    if (isKnown) parsedDefinition(type, definition, analyzers);
    else requireNewDefinition(type, definition, analyzers);
  } catch (error) {
    if (!(error instanceof SearchDefinitionError)) throw error;
    const { path, reason, kind } = error;
    const name = path === '' ? at : path.startsWith('[') ? `${at}${path}` : `${at}.${path}`;
    throw new ServerError(kind === 'semantics' ? 'CommandFailed' : 'UnknownError', `"${name}" ${reason}`);
  }
}
