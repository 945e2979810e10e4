import type { CustomAnalyzer, newAnalyzers } from './custom-analyzer.ts';
import { SearchDefinitionError } from './error.ts';
import type { FieldMapping, Mappings, StoredSource } from './field-types.ts';
import { mappings, typeSets } from './mappings.ts';
import { builtInName } from './names.ts';
import { numPartitions } from './partitions.ts';
import { countOne, Reader } from './reading.ts';
import { storedSource } from './stored-source.ts';
import { type SynonymMapping, synonyms } from './synonyms.ts';

export interface TextDefinition {
  readonly type: 'search';
  readonly analyzer: string;
  /** The analyzer of searches. The default is `analyzer`. */
  readonly searchAnalyzer?: string;
  /** The analyzers that the index itself defines, and the analyzers of the cluster. */
  readonly analyzers: ReadonlyMap<string, CustomAnalyzer>;
  readonly mappings: Mappings;
  readonly numPartitions: number;
  readonly storedSource: StoredSource;
  readonly synonyms: readonly SynonymMapping[];
  /** The types of dynamic fields, by the names that `mappings` refer to. */
  readonly typeSets: ReadonlyMap<string, readonly FieldMapping[]>;
}

const DEFAULT_ANALYZER = 'lib.standard';

/** Filters and tokenizers whose tokens `autocomplete` cannot split into grams. */
const noAutocompletion = new Set(['nGram', 'edgeGram', 'daitchMokotoffSoundex', 'shingle']);

/** Parses a definition. `readAnalyzers` parses the analyzers that it defines. */
export function textDefinition(
  value: unknown,
  ofCluster: readonly CustomAnalyzer[],
  readAnalyzers: typeof newAnalyzers,
): TextDefinition {
  const reader = new Reader(value, '');
  // Read the analyzers first, so that an error in an analyzer is reported with the path of the analyzer.
  const own = readAnalyzers(reader.optionalList('analyzers', (one) => one) ?? [], 'analyzers');
  const analyzers = new Map([...ofCluster, ...own].map((analyzer) => [analyzer.name, analyzer]));
  const analyzer = reader.optionalText('analyzer') ?? DEFAULT_ANALYZER;
  const searchAnalyzer = reader.optionalText('searchAnalyzer');
  const read = mappings(reader.requiredAny('mappings'), 'mappings');
  const definition: TextDefinition = {
    type: 'search',
    analyzer,
    ...(searchAnalyzer === undefined ? {} : { searchAnalyzer }),
    analyzers,
    mappings: read,
    numPartitions: numPartitions(reader),
    storedSource: storedSource(reader.any('storedSource'), 'storedSource'),
    synonyms: synonyms(reader, analyzers),
    typeSets: typeSets(reader),
  };
  reader.done();
  requireAnalyzers(definition);
  requireTypeSets(definition);
  return definition;
}

/** Throws if a new definition breaks one of the rules that do not apply to definitions stored earlier. */
export function requireLaterRules(definition: TextDefinition): void {
  requireStorable(definition);
  requireVectorsOutside(definition.mappings, 'mappings');
}

/** Throws if embedded documents contain vectors of the outdated type. */
function requireVectorsOutside(inside: Mappings, path: string, embedded = false): void {
  for (const [at, field] of fieldsIn(inside, path)) {
    if (field.type === 'knnVector' && embedded) {
      throw new SearchDefinitionError(at, 'knnVector cannot be in embeddedDocuments', 'semantics');
    }
    const isEmbedded = field.type === 'embeddedDocuments';
    if (isEmbedded || field.type === 'document') requireVectorsOutside(field, at, embedded || isEmbedded);
  }
}

/** Throws unless every referenced type set exists. */
function requireTypeSets({ mappings, typeSets }: TextDefinition): void {
  const require = ({ typeSet }: Mappings, path: string) => {
    if (typeSet === undefined || typeSets.has(typeSet)) return;
    const reason = `is not a known type set: ${typeSet}`;
    throw new SearchDefinitionError(`${path}.dynamic.typeSet`, reason, 'semantics', 'not one of');
  };
  require(mappings, 'mappings');
  for (const [path, field] of fieldsOf(mappings, 'mappings')) {
    if (field.type === 'document' || field.type === 'embeddedDocuments') require(field, path);
  }
}

/**
 * Throws if the index stores a vector. Also throws if `storedSource` excludes embedded documents although their own
 * definition stores fields.
 */
function requireStorable({ mappings, storedSource }: TextDefinition): void {
  const excluded = typeof storedSource === 'object' && 'exclude' in storedSource ? storedSource.exclude : [];
  const isExcluded = (path: string) => excluded.some((one) => path === one || path.startsWith(`${one}.`));
  for (const [path, field] of pathsOf(mappings, '')) {
    if (field.type === 'embeddedDocuments' && field.storedSource !== false && isExcluded(path)) {
      const reason = `cannot exclude ${path}, whose fields are stored`;
      throw new SearchDefinitionError('storedSource.exclude', reason, 'semantics');
    }
    if (field.type !== 'vector') continue;
    if (storedSource === true || (excluded.length > 0 && !isExcluded(path))) {
      const reason = `must exclude ${path}, which is a vector`;
      throw new SearchDefinitionError('storedSource', reason, 'semantics');
    }
  }
}

/** Yields all fields, including nested fields, with their paths in documents. */
function* pathsOf(inside: Mappings, path: string): Generator<[string, FieldMapping]> {
  for (const [name, fields] of inside.fields) {
    const own = path === '' ? name : `${path}.${name}`;
    for (const field of fields) {
      yield [own, field];
      if (field.type === 'document' || field.type === 'embeddedDocuments') yield* pathsOf(field, own);
    }
  }
}

/** Throws unless every referenced analyzer exists. */
function requireAnalyzers(definition: TextDefinition): void {
  const { analyzer, searchAnalyzer, analyzers, mappings, synonyms, typeSets } = definition;
  const require = (name: string | undefined, path: string) => {
    countOne();
    if (name === undefined || analyzers.has(name) || builtInName(name) !== undefined) return;
    throw new SearchDefinitionError(path, `is not a known analyzer: ${name}`, 'semantics', 'not one of');
  };
  require(analyzer, 'analyzer');
  require(searchAnalyzer, 'searchAnalyzer');
  for (const [index, synonym] of synonyms.entries()) require(synonym.analyzer, `synonyms[${index}].analyzer`);
  const sets = [...typeSets].flatMap(([name, types]) =>
    types.map((type) => [`typeSets.${name}`, type] as const),
  );
  for (const [path, field] of [...fieldsOf(mappings, 'mappings'), ...sets]) {
    if (field.type === 'string') {
      require(field.analyzer, `${path}.analyzer`);
      require(field.searchAnalyzer, `${path}.searchAnalyzer`);
      for (const [name, one] of field.multi) {
        require(one.analyzer, `${path}.multi.${name}.analyzer`);
        require(one.searchAnalyzer, `${path}.multi.${name}.searchAnalyzer`);
      }
    }
    if (field.type === 'autocomplete') {
      require(field.analyzer, `${path}.analyzer`);
      requireForAutocompletion(field.analyzer ?? analyzer, `${path}.analyzer`, analyzers);
    }
  }
}

function requireForAutocompletion(
  name: string,
  path: string,
  analyzers: ReadonlyMap<string, CustomAnalyzer>,
): void {
  const custom = analyzers.get(name);
  const type = [custom?.tokenizer, ...(custom?.tokenFilters ?? [])].find((one) =>
    noAutocompletion.has(one?.type ?? ''),
  )?.type;
  if (builtInName(name) !== 'kuromoji' && type === undefined) return;
  const why = type === undefined ? '' : `, which has ${type}`;
  throw new SearchDefinitionError(path, `cannot be ${name}${why}`, 'semantics');
}

/** Yields all fields, including nested fields, with their paths in the definition. */
function* fieldsOf(inside: Mappings, path: string): Generator<[string, FieldMapping]> {
  for (const [at, field] of fieldsIn(inside, path)) {
    yield [at, field];
    if (field.type === 'document' || field.type === 'embeddedDocuments') yield* fieldsOf(field, at);
  }
}

/** Yields the fields of one level with their paths in the definition. */
function* fieldsIn({ fields: all }: Mappings, path: string): Generator<[string, FieldMapping]> {
  for (const [name, fields] of all) {
    for (const [index, field] of fields.entries())
      yield [`${path}.fields.${name}${fields.length > 1 ? `[${index}]` : ''}`, field];
  }
}
