import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDefinition } from './index.ts';
import { wrong } from './testing-definitions.ts';

const vector = { type: 'vector', path: 'v', numDimensions: 8, similarity: 'cosine' };

test('reads a vector definition with its defaults', () => {
  const definition = {
    fields: [vector, { type: 'filter', path: 'year' }],
    storedSource: { include: ['title'] },
  };
  assert.deepEqual(parseDefinition('vectorSearch', definition), {
    type: 'vectorSearch',
    fields: [
      {
        ...vector,
        quantization: 'none',
        indexingMethod: 'hnsw',
        hnswOptions: { maxEdges: 16, numEdgeCandidates: 100 },
      },
      { type: 'filter', path: 'year' },
    ],
    numPartitions: 1,
    storedSource: { include: ['title'] },
  });
});

test('names the first error in a vector definition with its path', () => {
  const of = (part: object) => ({ fields: [{ ...vector, ...part }] });
  const cases: Array<[unknown, string]> = [
    [of({ indexingMethod: 'flat' }), 'nothing'],
    [
      of({ indexingMethod: 'flat', hnswOptions: { maxEdges: 16 } }),
      '"fields[0].hnswOptions" requires the indexing method hnsw',
    ],
    [{}, '"fields" is required'],
    [{ fields: [] }, '"fields" must have at least one field of type vector'],
    [{ fields: [{ type: 'filter', path: 'a' }] }, '"fields" must have at least one field of type vector'],
    [{ fields: [vector, vector] }, '"fields[1].path" v is a duplicate'],
    [
      { fields: [{ type: 'filter', path: 'a', similarity: 'cosine' }] },
      '"fields[0].similarity" is not a known field',
    ],
    [{ fields: [vector], storedSource: true }, '"storedSource" must be false, or have include or exclude'],
    [{ fields: [vector], nestedRoot: 'x' }, '"nestedRoot" must contain all vector fields'],
    [of({ path: undefined }), '"fields[0].path" is required'],
    [of({ numDimensions: 0 }), '"fields[0].numDimensions" must be within bounds [1, 8192]'],
    [of({ numDimensions: 8193 }), '"fields[0].numDimensions" must be within bounds [1, 8192]'],
    [of({ numDimensions: 2.5 }), '"fields[0].numDimensions" must be an integer'],
    [
      of({ numDimensions: 12, quantization: 'binary' }),
      '"fields[0].numDimensions" must be a multiple of 8 for binary quantization',
    ],
    [of({ quantization: 'x' }), '"fields[0].quantization" must be one of [none, scalar, binary]'],
    [of({ similarity: undefined }), '"fields[0].similarity" is required'],
    [
      of({ similarity: 'manhattan' }),
      '"fields[0].similarity" must be one of [euclidean, cosine, dotProduct]',
    ],
    [
      of({ hnswOptions: { maxEdges: 65 } }),
      '"fields[0].hnswOptions.maxEdges" must be within bounds [16, 64]',
    ],
    [
      of({ hnswOptions: { numEdgeCandidates: 99 } }),
      '"fields[0].hnswOptions.numEdgeCandidates" must be within bounds [100, 3200]',
    ],
  ];
  for (const [definition, message] of cases) assert.equal(wrong(definition, 'vectorSearch'), message);
});
