import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDefinition, parseNewDefinition, SearchDefinitionError, type SearchIndexType } from './index.ts';

/** Returns the error of an invalid definition. */
function wrong(definition: unknown, type: SearchIndexType = 'search'): string {
  try {
    parseNewDefinition(type, definition);
  } catch (error) {
    if (error instanceof SearchDefinitionError) return error.message;
    throw error;
  }
  return 'nothing';
}

const field = (definition: unknown) => ({ mappings: { fields: { a: definition } } });
const analyzer = (part: object) => ({
  mappings: { dynamic: true },
  analyzers: [{ name: 'mine', tokenizer: { type: 'standard' }, ...part }],
});
const filter = (tokenFilter: object) => analyzer({ tokenFilters: [tokenFilter] });
const vector = { type: 'vector', path: 'v', numDimensions: 8, similarity: 'cosine' };

test('reads a text definition with the defaults of every field type', () => {
  const definition = parseDefinition('search', {
    mappings: {
      fields: {
        title: [
          { type: 'string', analyzer: 'mine', multi: { exact: { type: 'string', analyzer: 'lib.keyword' } } },
          { type: 'autocomplete' },
          { type: 'token' },
        ],
        price: { type: 'number' },
        place: { type: 'geo' },
        parts: { type: 'embeddedDocuments', dynamic: true, storedSource: { include: ['x'] } },
        inside: { type: 'document', analyzer: 'lib.simple', fields: { when: { type: 'date' } } },
        old: { type: 'knnVector', dimensions: 3, similarity: 'euclidean' },
      },
    },
    analyzers: [{ name: 'mine', tokenizer: { type: 'nGram', minGram: 2, maxGram: 3 } }],
    storedSource: { exclude: ['secret'] },
    synonyms: [{ name: 's', analyzer: 'lucene.english', source: { collection: 'words' } }],
    numPartitions: 2,
  });
  assert.ok(definition.type === 'search');
  const text = { indexOptions: 'offsets', store: true, norms: 'include', similarity: 'bm25' };
  assert.deepEqual(definition.mappings, {
    dynamic: false,
    fields: new Map<string, unknown>([
      [
        'title',
        [
          {
            type: 'string',
            analyzer: 'mine',
            ...text,
            multi: new Map([
              ['exact', { type: 'string', analyzer: 'lib.keyword', ...text, multi: new Map() }],
            ]),
          },
          {
            type: 'autocomplete',
            minGrams: 2,
            maxGrams: 15,
            tokenization: 'edgeGram',
            foldDiacritics: true,
            similarity: 'bm25',
          },
          { type: 'token', normalizer: 'none' },
        ],
      ],
      ['price', [{ type: 'number', representation: 'double', indexIntegers: true, indexDoubles: true }]],
      ['place', [{ type: 'geo', indexShapes: false }]],
      [
        'parts',
        [{ type: 'embeddedDocuments', dynamic: true, fields: new Map(), storedSource: { include: ['x'] } }],
      ],
      ['inside', [{ type: 'document', dynamic: false, fields: new Map([['when', [{ type: 'date' }]]]) }]],
      ['old', [{ type: 'knnVector', dimensions: 3, similarity: 'euclidean' }]],
    ]),
  });
  assert.equal(definition.analyzer, 'lib.standard');
  assert.equal(definition.numPartitions, 2);
  assert.deepEqual(definition.storedSource, { exclude: ['secret'] });
  assert.deepEqual(definition.synonyms, [
    { name: 's', analyzer: 'lucene.english', source: { collection: 'words' } },
  ]);
});

test('names the first error in a text definition with its path', () => {
  const cases: Array<[unknown, string]> = [
    [null, '"" must be a document'],
    [{}, '"mappings" is required'],
    [{ mappings: {} }, '"mappings.fields" cannot be empty where dynamic is false'],
    [{ mappings: { dynamic: 'yes' } }, '"mappings.dynamic" must be a boolean'],
    [{ mappings: { dynamic: true, more: 1 } }, '"mappings.more" is not a known field'],
    [{ mappings: { dynamic: true }, unknown: 1 }, '"unknown" is not a known field'],
    [{ mappings: { dynamic: true }, numPartitions: 3 }, '"numPartitions" must be one of [1, 2, 4]'],
    [
      { mappings: { dynamic: true }, analyzer: 'lib.klingon' },
      '"analyzer" is not a known analyzer: lib.klingon',
    ],
    [{ mappings: { dynamic: true }, analyzer: '' }, '"analyzer" cannot be empty'],
    [{ mappings: { dynamic: true }, searchAnalyzer: 'x' }, '"searchAnalyzer" is not a known analyzer: x'],
    [
      { mappings: { dynamic: true }, storedSource: {} },
      '"storedSource" must have exactly one of [include, exclude]',
    ],
    [
      { mappings: { dynamic: true }, storedSource: { include: [] } },
      '"storedSource.include" cannot be empty',
    ],
    [
      { mappings: { dynamic: true }, storedSource: { include: [1] } },
      '"storedSource.include[0]" must be a string',
    ],
    [field({}), '"mappings.fields.a.type" is required'],
    [field([]), '"mappings.fields.a" cannot be empty'],
    [field([{ type: 'date' }, { type: 'date' }]), '"mappings.fields.a[1].type" date is a duplicate'],
    [field({ type: 'date', format: 'x' }), '"mappings.fields.a.format" is not a known field'],
    [field({ type: 'string', analyzer: 'no' }), '"mappings.fields.a.analyzer" is not a known analyzer: no'],
    [field({ type: 'string', ignoreAbove: 0 }), '"mappings.fields.a.ignoreAbove" must be at least 1'],
    [
      field({ type: 'string', indexOptions: 'all' }),
      '"mappings.fields.a.indexOptions" must be one of [docs, freqs, positions, offsets]',
    ],
    [field({ type: 'string', norms: true }), '"mappings.fields.a.norms" must be one of [include, omit]'],
    [
      field({ type: 'string', multi: { x: { type: 'date' } } }),
      '"mappings.fields.a.multi.x.type" must be one of [string]',
    ],
    [
      field({ type: 'string', multi: { x: { type: 'string', multi: {} } } }),
      '"mappings.fields.a.multi.x.multi" is not a known field',
    ],
    [
      field({ type: 'autocomplete', minGrams: 5, maxGrams: 4 }),
      '"mappings.fields.a.maxGrams" must be greater than or equal to minGrams',
    ],
    [
      field({ type: 'autocomplete', tokenization: 'x' }),
      '"mappings.fields.a.tokenization" must be one of [edgeGram, rightEdgeGram, nGram]',
    ],
    [
      field({ type: 'autocomplete', analyzer: 'lib.kuromoji' }),
      '"mappings.fields.a.analyzer" cannot be lib.kuromoji',
    ],
    [
      field({ type: 'token', normalizer: 'upper' }),
      '"mappings.fields.a.normalizer" must be one of [lowercase, none]',
    ],
    [
      field({ type: 'number', representation: 'int32' }),
      '"mappings.fields.a.representation" must be one of [int64, double]',
    ],
    [
      field({ type: 'number', indexIntegers: false, indexDoubles: false }),
      '"mappings.fields.a.indexDoubles" cannot be false where indexIntegers is false',
    ],
    [field({ type: 'geo', indexShapes: 1 }), '"mappings.fields.a.indexShapes" must be a boolean'],
    [
      field({ type: 'knnVector', dimensions: 8193, similarity: 'cosine' }),
      '"mappings.fields.a.dimensions" must be within bounds [1, 8192]',
    ],
    [field({ type: 'document', fields: { b: { type: 'x' } } }).mappings, '"mappings" is required'],
    [field({ type: 'document', fields: { b: {} } }), '"mappings.fields.a.fields.b.type" is required'],
  ];
  for (const [definition, message] of cases) assert.equal(wrong(definition), message);
});

test('rejects embedded documents more than five levels deep', () => {
  let inner: object = { type: 'embeddedDocuments', dynamic: true };
  for (let level = 2; level <= 5; level++) inner = { type: 'embeddedDocuments', fields: { x: inner } };
  assert.equal(wrong(field(inner)), 'nothing');
  assert.match(
    wrong(field({ type: 'embeddedDocuments', fields: { x: inner } })),
    /fields\.x" embeddedDocuments cannot be/,
  );
  let deep: object = { type: 'number' };
  for (let level = 1; level <= 100; level++) deep = { type: 'document', fields: { x: deep } };
  assert.equal(wrong(field(deep)), 'nothing');
  assert.match(wrong(field({ type: 'document', fields: { x: deep } })), /nested more than 100 levels deep/);
});

test('checks the limits of the parts of custom analyzers', () => {
  const at = '"analyzers[0]';
  const first = `${at}.tokenFilters[0]`;
  const cases: Array<[unknown, string]> = [
    [analyzer({ name: undefined }), `${at}.name" is required`],
    [analyzer({ name: 'lib.mine' }), `${at}.name" cannot begin with lib.`],
    [analyzer({ name: 'lucene.french' }), `${at}.name" is the name of an analyzer that every index has`],
    [analyzer({ name: 'builtin.mine' }), `${at}.name" cannot begin with builtin.`],
    [analyzer({ name: 'db.mine' }), `${at}.name" cannot begin with db.`],
    [analyzer({ name: 'lucene.mine' }), `${at}.name" cannot begin with lucene.`],
    [analyzer({ tokenizer: undefined }), `${at}.tokenizer" is required`],
    [
      analyzer({ tokenizer: { type: 'x' } }),
      `${at}.tokenizer.type" must be one of [edgeGram, keyword, nGram, regexCaptureGroup, regexSplit, standard, uaxUrlEmail, whitespace]`,
    ],
    [analyzer({ tokenizer: { type: 'edgeGram', minGram: 1 } }), `${at}.tokenizer.maxGram" is required`],
    [
      analyzer({ tokenizer: { type: 'nGram', minGram: 0, maxGram: 1 } }),
      `${at}.tokenizer.minGram" must be at least 1`,
    ],
    [
      analyzer({ tokenizer: { type: 'nGram', minGram: 3, maxGram: 2 } }),
      `${at}.tokenizer.maxGram" must be greater than or equal to minGram`,
    ],
    [
      analyzer({ tokenizer: { type: 'regexCaptureGroup', pattern: 'a', group: -1 } }),
      `${at}.tokenizer.group" must be at least 0`,
    ],
    [analyzer({ tokenizer: { type: 'regexSplit' } }), `${at}.tokenizer.pattern" is required`],
    [
      analyzer({ tokenizer: { type: 'standard', maxTokenLength: 0 } }),
      `${at}.tokenizer.maxTokenLength" must be within bounds [1, 1048576]`,
    ],
    [
      analyzer({ charFilters: [{ type: 'htmlStrip', ignoredTags: [1] }] }),
      `${at}.charFilters[0].ignoredTags[0]" must be a string`,
    ],
    [analyzer({ charFilters: [{ type: 'mapping' }] }), `${at}.charFilters[0].mappings" is required`],
    [
      analyzer({ charFilters: [{ type: 'mapping', mappings: { a: 1 } }] }),
      `${at}.charFilters[0].mappings.a" must be a string`,
    ],
    [
      filter({ type: 'asciiFolding', originalTokens: 'keep' }),
      `${first}.originalTokens" must be one of [include, omit]`,
    ],
    [
      filter({ type: 'edgeGram', minGram: 1, maxGram: 2, termNotInBounds: 'x' }),
      `${first}.termNotInBounds" must be one of [include, omit]`,
    ],
    [
      filter({ type: 'icuNormalizer', normalizationForm: 'nf' }),
      `${first}.normalizationForm" must be one of [nfc, nfd, nfkc, nfkd]`,
    ],
    [filter({ type: 'length', min: 5, max: 4 }), `${first}.max" must be at least 5`],
    [filter({ type: 'regex', pattern: 'a', replacement: '' }), `${first}.matches" is required`],
    [
      filter({ type: 'shingle', minShingleSize: 1, maxShingleSize: 2 }),
      `${first}.minShingleSize" must be at least 2`,
    ],
    [filter({ type: 'snowballStemming' }), `${first}.stemmerName" is required`],
    [filter({ type: 'stopword' }), `${first}.tokens" is required`],
    [filter({ type: 'stopword', tokens: [], ignoreCase: 1 }), `${first}.ignoreCase" must be a boolean`],
    [
      filter({ type: 'wordDelimiterGraph', delimiterOptions: { x: 1 } }),
      `${first}.delimiterOptions.x" is not a known field`,
    ],
    [
      filter({ type: 'wordDelimiterGraph', protectedWords: {} }),
      `${first}.protectedWords.words" is required`,
    ],
    [filter({ type: 'trim', all: true }), `${first}.all" is not a known field`],
    [{ ...analyzer({}), analyzers: [1] }, `${at}" must be a document`],
  ];
  for (const [definition, message] of cases) assert.equal(wrong(definition), message);
  assert.match(wrong(filter({ type: 'limit' })), /tokenFilters\[0\]\.type" must be one of/);
  assert.match(
    wrong(filter({ type: 'regex', pattern: '(', replacement: '', matches: 'all' })),
    /pattern" is not a regular/,
  );
  const two = { name: 'a', tokenizer: { type: 'keyword' } };
  assert.equal(
    wrong({ mappings: { dynamic: true }, analyzers: [two, two] }),
    '"analyzers[1].name" a is the name of another analyzer',
  );
});

test('rejects synonyms with an analyzer that has several tokens at one position', () => {
  const synonym = (part: object) => ({
    ...filter({ type: 'shingle', minShingleSize: 2, maxShingleSize: 2 }),
    synonyms: [{ name: 's', analyzer: 'lib.simple', source: { collection: 'c' }, ...part }],
  });
  assert.equal(wrong(synonym({})), 'nothing');
  assert.equal(wrong(synonym({ name: '' })), '"synonyms[0].name" cannot be empty');
  assert.equal(wrong(synonym({ analyzer: undefined })), '"synonyms[0].analyzer" is required');
  assert.equal(wrong(synonym({ analyzer: 'lib.cjk' })), '"synonyms[0].analyzer" cannot be lib.cjk');
  assert.equal(
    wrong(synonym({ analyzer: 'mine' })),
    '"synonyms[0].analyzer" cannot be mine, which has shingle',
  );
  assert.equal(
    wrong(synonym({ analyzer: 'other' })),
    '"synonyms[0].analyzer" is not a known analyzer: other',
  );
  assert.equal(wrong(synonym({ source: {} })), '"synonyms[0].source.collection" is required');
});

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

test('accepts an analyzer that the cluster defines', () => {
  const definition = { mappings: { dynamic: true }, analyzer: 'shared' };
  const shared = {
    name: 'shared',
    charFilters: [],
    tokenizer: { type: 'keyword' },
    tokenFilters: [],
  } as const;
  assert.equal(wrong(definition), '"analyzer" is not a known analyzer: shared');
  const read = parseDefinition('search', definition, [shared]);
  assert.deepEqual(read.type === 'search' && [...read.analyzers.keys()], ['shared']);
});

test('checks type sets', () => {
  const set = (part: object, typeSet = 'mine') => ({
    mappings: { dynamic: { typeSet } },
    typeSets: [{ name: 'mine', types: [{ type: 'string' }], ...part }],
  });
  assert.equal(wrong(set({})), 'nothing');
  assert.equal(wrong(set({}, 'other')), '"mappings.dynamic.typeSet" is not a known type set: other');
  assert.equal(wrong(set({ name: ' ' })), '"typeSets[0].name" cannot be empty');
  assert.equal(wrong(set({ types: [] })), '"typeSets[0].types" cannot be empty');
  const twice = [{ type: 'number' }, { type: 'number' }];
  assert.equal(wrong(set({ types: twice })), '"typeSets[0].types[1].type" number is a duplicate');
  const nested = [{ type: 'document', dynamic: true }];
  assert.equal(wrong(set({ types: nested })), '"typeSets[0].types" cannot contain the type document');
  assert.equal(
    wrong(set({ types: [{ type: 'string', analyzer: 'none' }] })),
    '"typeSets.mine.analyzer" is not a known analyzer: none',
  );
});

test('an index does not store vectors, nor embedded documents that it excludes', () => {
  const fields = { v: { type: 'vector', numDimensions: 2, similarity: 'cosine' } };
  const storing = (storedSource: unknown) => wrong({ mappings: { fields }, storedSource });
  assert.equal(storing(true), '"storedSource" must exclude v, which is a vector');
  assert.equal(storing({ exclude: ['t'] }), '"storedSource" must exclude v, which is a vector');
  assert.equal(storing({ exclude: ['v'] }), 'nothing');
  assert.equal(storing({ include: ['t'] }), 'nothing');
  const embedded = { list: { type: 'embeddedDocuments', dynamic: true, storedSource: true } };
  const excluding = (path: string) =>
    wrong({ mappings: { fields: embedded }, storedSource: { exclude: [path] } });
  assert.equal(excluding('list'), '"storedSource.exclude" cannot exclude list, whose fields are stored');
  assert.equal(excluding('other'), 'nothing');
  const knnVector = { type: 'knnVector', dimensions: 2, similarity: 'cosine' };
  const inside = { list: { type: 'embeddedDocuments', fields: { v: knnVector } } };
  assert.match(
    wrong({ mappings: { fields: { outer: { type: 'document', fields: inside } } } }),
    /"mappings.fields.outer.fields.list.fields.v" knnVector cannot be in embeddedDocuments/,
  );
  // Indexes that were created before these rules existed can be rebuilt.
  const stored = { mappings: { fields: { ...embedded, inside: inside.list } } };
  for (const definition of [stored, { ...stored, storedSource: { exclude: ['list'] } }])
    assert.equal(parseDefinition('search', definition).type, 'search');
});
