import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { boolOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../environment.ts';
import { compileFilter } from '../../filter/index.ts';
import { usesText } from '../match.ts';
import { onlyFirst } from '../position.ts';
import type { CompileStage, StageDescriptor, StageMetadata, StageTable } from '../stage.ts';
import { needsOnCollection, readsInput } from '../stage-access.ts';
import { atTheSource, carriesMetadata, searches } from '../stage-facts.ts';

const search: Omit<StageDescriptor, 'compile'> = {
  source: 'collection',
  position: onlyFirst,
  within: atTheSource,
  metadata: carriesMetadata,
  fusion: searches,
  access: readsInput,
  readConcern: 'any',
  shapesPlan: false,
  stableApi: false,
};

const ofWords: StageMetadata = {
  provides(stage) {
    const given = ['searchScore', 'score', 'searchHighlights', 'searchSequenceToken'];
    const spec = stage.type === bsonTypes.object ? documentOf(stage) : undefined;
    const isSet = (name: string) => {
      const value = spec?.get(name);
      return value?.type === bsonTypes.bool && boolOf(value);
    };
    if (spec?.get('returnScope')?.type === bsonTypes.object && isSet('returnStoredSource'))
      given.push('searchRootDocumentId');
    if (isSet('scoreDetails')) given.push('scoreDetails', 'searchScoreDetails');
    return given;
  },
  carries: true,
};

const ofVectors: StageMetadata = { provides: () => ['vectorSearchScore', 'score'], carries: true };

export const searchStages: StageTable = {
  $search: { ...search, compile: compileSearch('$search', false), metadata: ofWords },
  $searchMeta: { ...search, compile: compileSearch('$searchMeta', true), fusion: 'alters' },
  $vectorSearch: {
    ...search,
    compile: compileVectors,
    metadata: ofVectors,
    within: { ...atTheSource, stages: 'notInLookup' },
  },
  $listSearchIndexes: {
    ...search,
    compile: compileList,
    source: 'namespace',
    fusion: 'alters',
    access: needsOnCollection('listSearchIndexes'),
  },
};

/** True if a stage reads documents from a search index rather than the collection. */
export function isSearch(stage: string): boolean {
  return stage !== '$listSearchIndexes' && Object.hasOwn(searchStages, stage);
}

/** Compiles a search stage. The operators are validated when the search runs. */
function compileSearch(name: string, metaOnly: boolean): CompileStage {
  return (spec, { pipelineEnvironment, environment }) => {
    const doc = documentIn(spec, name);
    // The server reads these fields before the search process does, so their errors have other codes.
    for (const field of metaOnly ? ['scoreDetails'] : ['scoreDetails', 'returnStoredSource']) {
      const type = doc.get(field)?.type;
      if (type === undefined || type === bsonTypes.bool) continue;
      throw new ServerError(13111, `wrong type for field (${field}) ${typeName(type)} != bool`);
    }
    pipelineEnvironment.search?.checkExplained?.(name, doc);
    return function* () {
      const answer = pipelineEnvironment.search?.search(doc, metaOnly);
      if (answer === undefined) return;
      if (environment.searchMeta !== undefined) environment.searchMeta.value = answer.meta;
      if (metaOnly) yield documentOf(answer.meta);
      else yield* answer.documents;
    };
  };
}

function compileVectors(
  spec: Value,
  { pipelineEnvironment, environment }: Parameters<CompileStage>[1],
): ReturnType<CompileStage> {
  const doc = documentIn(spec, '$vectorSearch');
  const filter = doc.get('filter');
  if (filter?.type === bsonTypes.object) checkFilter(documentOf(filter), environment);
  pipelineEnvironment.search?.checkExplained?.('$vectorSearch', doc);
  return () => pipelineEnvironment.search?.vectors(doc) ?? [];
}

/** Checks that `filter` is a valid filter expression. Vector search itself supports only some of its operators. */
function checkFilter(filter: RawDocument, environment: Environment): void {
  if (usesText(filter)) throw new ServerError('BadValue', '$text is not supported in $vectorSearch filter');
  const { metadata: _, ...others } = environment;
  compileFilter(filter, { ...others, withoutNear: true });
}

function documentIn(spec: Value, name: string): RawDocument {
  if (spec.type === bsonTypes.object) return documentOf(spec);
  if (spec.type === bsonTypes.array) {
    throw new ServerError('FailedToParse', `${name} value must be an object. Found: array`);
  }
  throw new ServerError(10065, `invalid parameter: expected an object (${name})`);
}

const listOptions = { id: 'string', name: 'string' } as const;

function compileList(
  spec: Value,
  { pipelineEnvironment }: Parameters<CompileStage>[1],
): ReturnType<CompileStage> {
  const doc = documentIn(spec, '$listSearchIndexes');
  for (const { name, type } of doc) {
    if (!Object.hasOwn(listOptions, name)) {
      throw new ServerError(40415, `BSON field '$listSearchIndexes.${name}' is an unknown field.`);
    }
    if (type !== bsonTypes.string) {
      throw new ServerError(
        'TypeMismatch',
        `BSON field '$listSearchIndexes.${name}' is the wrong type '${typeName(type)}', expected type 'string'`,
      );
    }
  }
  const wanted = { id: doc.string('id'), name: doc.string('name') };
  if (wanted.id !== undefined && wanted.name !== undefined) {
    throw new ServerError('InvalidOptions', 'Cannot set both "name" and "id" for $listSearchIndexes.');
  }
  return () => pipelineEnvironment.search?.indexes(wanted) ?? [];
}
