import { type CustomAnalyzer, customAnalyzers } from './custom-analyzer.ts';
import { SearchDefinitionError } from './error.ts';
import type { FieldMapping, Mappings, StoredSource } from './field-types.ts';
import { mappings } from './mappings.ts';
import { builtInName } from './names.ts';
import { numPartitions } from './partitions.ts';
import { countOne, Reader } from './reading.ts';
import { storedSource } from './stored-source.ts';
import { type SynonymMapping, synonyms } from './synonyms.ts';

export interface TextDefinition {
  readonly type: 'search';
  readonly analyzer: string;
  /** The default is `analyzer`. */
  readonly searchAnalyzer?: string;
  /** The analyzers that the index itself defines, and the analyzers of the cluster. */
  readonly analyzers: ReadonlyMap<string, CustomAnalyzer>;
  readonly mappings: Mappings;
  readonly numPartitions: number;
  readonly storedSource: StoredSource;
  readonly synonyms: readonly SynonymMapping[];
}

const DEFAULT_ANALYZER = 'lib.standard';

/** Filters and tokenizers whose tokens `autocomplete` cannot split into grams. */
const noAutocompletion = new Set(['nGram', 'edgeGram', 'daitchMokotoffSoundex', 'shingle']);

export function textDefinition(value: unknown, ofCluster: readonly CustomAnalyzer[]): TextDefinition {
  const reader = new Reader(value, '');
  // Read the analyzers first. Thus an error in an analyzer is reported with its path.
  const own = customAnalyzers(reader.optionalList('analyzers', (one) => one) ?? [], 'analyzers');
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
  };
  reader.done();
  requireAnalyzers(definition);
  return definition;
}

/** Throws unless every referenced analyzer exists. */
function requireAnalyzers({ analyzer, searchAnalyzer, analyzers, mappings, synonyms }: TextDefinition): void {
  const require = (name: string | undefined, path: string) => {
    countOne();
    if (name === undefined || analyzers.has(name) || builtInName(name) !== undefined) return;
    throw new SearchDefinitionError(path, `is not a known analyzer: ${name}`, 'semantics', 'not one of');
  };
  require(analyzer, 'analyzer');
  require(searchAnalyzer, 'searchAnalyzer');
  for (const [index, synonym] of synonyms.entries()) require(synonym.analyzer, `synonyms[${index}].analyzer`);
  for (const [path, field] of fieldsOf(mappings, 'mappings')) {
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
  for (const [name, fields] of inside.fields) {
    for (const [index, field] of fields.entries()) {
      const at = `${path}.fields.${name}${fields.length > 1 ? `[${index}]` : ''}`;
      yield [at, field];
      if (field.type === 'document' || field.type === 'embeddedDocuments') yield* fieldsOf(field, at);
    }
  }
}
