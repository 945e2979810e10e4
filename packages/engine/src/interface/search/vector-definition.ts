import { SearchDefinitionError } from './error.ts';
import type { StoredSource, VectorSimilarity } from './field-types.ts';
import { byType } from './kinds.ts';
import { vectorOptions } from './mappings.ts';
import { numPartitions } from './partitions.ts';
import { Reader } from './reading.ts';
import { storedSource } from './stored-source.ts';

interface VectorField {
  readonly type: 'vector';
  readonly path: string;
  readonly numDimensions: number;
  readonly similarity: VectorSimilarity;
  readonly quantization: 'binary' | 'none' | 'scalar';
  readonly indexingMethod: 'flat' | 'hnsw';
  readonly hnswOptions: { readonly maxEdges: number; readonly numEdgeCandidates: number };
}

interface FilterField {
  readonly type: 'filter';
  readonly path: string;
}

export interface VectorDefinition {
  readonly type: 'vectorSearch';
  readonly fields: ReadonlyArray<FilterField | VectorField>;
  readonly numPartitions: number;
  readonly storedSource: StoredSource;
  /**
   * The path of an array of documents that contain the vectors. A search finds each of these documents individually.
   */
  readonly nestedRoot?: string;
}

export function vectorDefinition(value: unknown): VectorDefinition {
  const reader = new Reader(value, '');
  const fields = reader.list('fields', field);
  const nestedRoot = reader.optionalText('nestedRoot');
  const definition: VectorDefinition = {
    type: 'vectorSearch',
    fields,
    numPartitions: numPartitions(reader),
    storedSource: storedSource(reader.any('storedSource'), 'storedSource'),
    ...(nestedRoot === undefined ? {} : { nestedRoot }),
  };
  reader.done();
  requireFit(definition);
  return definition;
}

function requireFit({ fields, storedSource, nestedRoot }: VectorDefinition): void {
  if (storedSource === true) {
    throw new SearchDefinitionError('storedSource', 'must be false, or have include or exclude');
  }
  if (!fields.some(({ type }) => type === 'vector')) {
    throw new SearchDefinitionError('fields', 'must have at least one field of type vector');
  }
  const paths = new Set<string>();
  for (const [index, { path }] of fields.entries()) {
    if (paths.has(path)) throw new SearchDefinitionError(`fields[${index}].path`, `${path} is a duplicate`);
    paths.add(path);
  }
  const isInside = ({ type, path }: FilterField | VectorField) =>
    type !== 'vector' || path.startsWith(`${nestedRoot}.`);
  if (nestedRoot !== undefined && !fields.every(isInside)) {
    throw new SearchDefinitionError('nestedRoot', 'must contain all vector fields', 'semantics');
  }
}

const field = byType<FilterField | VectorField>({
  filter: (reader) => ({ path: reader.text('path') }),
  vector: (reader) => ({ path: reader.text('path'), ...vectorOptions(reader) }),
});
