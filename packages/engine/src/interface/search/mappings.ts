import { SearchDefinitionError } from './error.ts';
import {
  type FieldMapping,
  type KnnVectorMapping,
  type Mappings,
  type NumberMapping,
  type StringMapping,
  type TextSimilarity,
  vectorSimilarities,
} from './field-types.ts';
import { byType, nothing } from './kinds.ts';
import { Reader } from './reading.ts';
import { storedSource } from './stored-source.ts';

const MAX_EMBEDDED_LEVELS = 5;
/** Maximum nesting depth of fields. Documents have about the same limit. */
const MAX_LEVELS = 100;

/** The default of the maximum length of the grams of `autocomplete`. */
const MAX_GRAMS = 15;

const MAX_DIMENSIONS = 8192;

export function mappings(value: unknown, path: string): Mappings {
  const reader = new Reader(value, path);
  const read = nested(reader, { all: 0, embedded: 0 });
  reader.done();
  if (!read.dynamic && read.fields.size === 0) {
    const reason = 'cannot be empty where dynamic is false';
    throw new SearchDefinitionError(reader.at('fields'), reason, 'semantics');
  }
  return read;
}

/** The nesting depth of a field, and how many of its levels are `embeddedDocuments`. */
interface Level {
  readonly all: number;
  readonly embedded: number;
}

function nested(reader: Reader, level: Level): Mappings {
  if (level.all > MAX_LEVELS) {
    const reason = `fields cannot be nested more than ${MAX_LEVELS} levels deep`;
    throw new SearchDefinitionError(reader.path, reason, 'semantics');
  }
  const dynamic = dynamicOf(reader);
  const fields = reader.optionalEntries('fields', (value, path, key) => {
    if (key === '') throw new SearchDefinitionError(path, 'cannot be empty');
    return definitions(value, path, level);
  });
  return { ...dynamic, fields };
}

/** Reads `dynamic`, which is a boolean or names a type set. */
function dynamicOf(reader: Reader): Pick<Mappings, 'dynamic' | 'typeSet'> {
  const given = reader.any('dynamic');
  if (typeof given !== 'object' || given === null) return { dynamic: reader.flag('dynamic', false) };
  const inside = reader.object('dynamic');
  const typeSet = inside.text('typeSet');
  inside.done();
  return { dynamic: true, typeSet };
}

/** Types that a type set cannot contain. */
const notInSets = new Set<FieldMapping['type']>([
  'dateFacet',
  'document',
  'embeddedDocuments',
  'knnVector',
  'numberFacet',
  'stringFacet',
  'vector',
]);

/** Reads the types of dynamic fields by the names of their sets. */
export function typeSets(reader: Reader): ReadonlyMap<string, readonly FieldMapping[]> {
  const sets = new Map<string, readonly FieldMapping[]>();
  const read = (value: unknown, path: string) => {
    const one = new Reader(value, path);
    const name = one.text('name');
    if (name.trim() === '') throw new SearchDefinitionError(one.at('name'), 'cannot be empty');
    if (sets.has(name))
      throw new SearchDefinitionError(one.at('name'), `${name} is a duplicate`, 'semantics');
    const types = definitions(
      one.list('types', (type) => type),
      one.at('types'),
      { all: 0, embedded: 0 },
    );
    one.done();
    const wrong = types.find(({ type }) => notInSets.has(type))?.type;
    if (wrong !== undefined) {
      const reason = `cannot contain the type ${wrong}`;
      throw new SearchDefinitionError(one.at('types'), reason, 'semantics');
    }
    sets.set(name, types);
  };
  reader.optionalList('typeSets', read);
  return sets;
}

/** Reads one definition, or an array for several types. */
function definitions(value: unknown, path: string, level: Level): readonly FieldMapping[] {
  const read = fieldAt(level);
  if (!Array.isArray(value)) return [read(value, path)];
  if (value.length === 0) throw new SearchDefinitionError(path, 'cannot be empty');
  const types = new Set<string>();
  return value.map((one, index) => {
    const field = read(one, `${path}[${index}]`);
    if (types.has(field.type)) {
      throw new SearchDefinitionError(`${path}[${index}].type`, `${field.type} is a duplicate`, 'semantics');
    }
    types.add(field.type);
    return field;
  });
}

function fieldAt({ all, embedded }: Level) {
  return byType<FieldMapping>({
    string: (reader) => text(reader, true),
    autocomplete,
    token: (reader) => ({
      normalizer: reader.optionalOneOf('normalizer', ['lowercase', 'none']) ?? 'none',
    }),
    number,
    numberFacet: number,
    document(reader) {
      // Ignore the analyzer, as MongoDB Atlas does. A document has no text of its own, and its fields do not inherit
      // the analyzer.
      reader.optionalText('analyzer');
      return nested(reader, { all: all + 1, embedded });
    },
    embeddedDocuments(reader) {
      if (embedded === MAX_EMBEDDED_LEVELS) {
        const reason = `embeddedDocuments cannot be nested more than ${MAX_EMBEDDED_LEVELS} levels deep`;
        throw new SearchDefinitionError(reader.path, reason, 'semantics');
      }
      const inside = nested(reader, { all: all + 1, embedded: embedded + 1 });
      return { ...inside, storedSource: storedSource(reader.any('storedSource'), reader.at('storedSource')) };
    },
    geo: (reader) => ({ indexShapes: reader.flag('indexShapes', false) }),
    boolean: nothing,
    date: nothing,
    dateFacet: nothing,
    objectId: nothing,
    stringFacet: nothing,
    uuid: nothing,
    knnVector,
    vector: vectorOptions,
  });
}

/** Reads the options of a vector field other than its path. */
export function vectorOptions(reader: Reader) {
  const numDimensions = reader.whole('numDimensions', { min: 1, max: MAX_DIMENSIONS });
  const similarity = reader.oneOf('similarity', vectorSimilarities);
  const quantization = reader.optionalOneOf('quantization', ['none', 'scalar', 'binary']) ?? 'none';
  if (quantization === 'binary' && numDimensions % 8 !== 0) {
    const reason = 'must be a multiple of 8 for binary quantization';
    throw new SearchDefinitionError(reader.at('numDimensions'), reason);
  }
  const indexingMethod = reader.optionalOneOf('indexingMethod', ['hnsw', 'flat']) ?? 'hnsw';
  const options = reader.optionalObject('hnswOptions');
  if (options !== undefined && indexingMethod !== 'hnsw') {
    throw new SearchDefinitionError(options.path, 'requires the indexing method hnsw', 'semantics');
  }
  const hnswOptions = {
    maxEdges: options?.optionalWhole('maxEdges', { min: 16, max: 64 }) ?? 16,
    numEdgeCandidates: options?.optionalWhole('numEdgeCandidates', { min: 100, max: 3200 }) ?? 100,
  };
  options?.done();
  return { numDimensions, similarity, quantization, indexingMethod, hnswOptions };
}

function text(reader: Reader, outermost: boolean): Omit<StringMapping, 'type'> {
  const analyzer = reader.optionalText('analyzer');
  const searchAnalyzer = reader.optionalText('searchAnalyzer');
  const ignoreAbove = reader.optionalWhole('ignoreAbove', { min: 1 });
  return {
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(searchAnalyzer === undefined ? {} : { searchAnalyzer }),
    indexOptions:
      reader.optionalOneOf('indexOptions', ['docs', 'freqs', 'positions', 'offsets']) ?? 'offsets',
    store: reader.flag('store', true),
    ...(ignoreAbove === undefined ? {} : { ignoreAbove }),
    norms: reader.optionalOneOf('norms', ['include', 'omit']) ?? 'include',
    similarity: similarity(reader),
    multi: outermost ? reader.optionalEntries('multi', multi) : new Map(),
  };
}

function multi(value: unknown, path: string): StringMapping {
  const reader = new Reader(value, path);
  const type = reader.oneOf('type', ['string']);
  const mapping = { type, ...text(reader, false) };
  reader.done();
  return mapping;
}

function similarity(reader: Reader): TextSimilarity {
  const inside = reader.optionalObject('similarity');
  const type = inside?.oneOf('type', ['bm25', 'boolean', 'stableTfl']) ?? 'bm25';
  inside?.done();
  return type;
}

function autocomplete(reader: Reader) {
  const analyzer = reader.optionalText('analyzer');
  const minGrams = reader.optionalWhole('minGrams', { min: 1 }) ?? 2;
  const maxGrams = reader.optionalWhole('maxGrams', { min: 1 }) ?? MAX_GRAMS;
  if (minGrams > maxGrams) {
    throw new SearchDefinitionError(reader.at('maxGrams'), 'must be greater than or equal to minGrams');
  }
  const tokenization = reader.optionalOneOf('tokenization', ['edgeGram', 'rightEdgeGram', 'nGram']);
  return {
    ...(analyzer === undefined ? {} : { analyzer }),
    minGrams,
    maxGrams,
    tokenization: tokenization ?? ('edgeGram' as const),
    foldDiacritics: reader.flag('foldDiacritics', true),
    similarity: similarity(reader),
  };
}

function number(reader: Reader): Omit<NumberMapping, 'type'> {
  const read = {
    representation: reader.optionalOneOf('representation', ['int64', 'double']) ?? ('double' as const),
    indexIntegers: reader.flag('indexIntegers', true),
    indexDoubles: reader.flag('indexDoubles', true),
  };
  if (!read.indexIntegers && !read.indexDoubles) {
    const reason = 'cannot be false where indexIntegers is false';
    throw new SearchDefinitionError(reader.at('indexDoubles'), reason, 'semantics');
  }
  return read;
}

function knnVector(reader: Reader): Omit<KnnVectorMapping, 'type'> {
  return {
    dimensions: reader.whole('dimensions', { min: 1, max: MAX_DIMENSIONS }),
    similarity: reader.oneOf('similarity', vectorSimilarities),
  };
}
