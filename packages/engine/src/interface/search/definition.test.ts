import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDefinition } from './index.ts';
import { wrong } from './testing-definitions.ts';

const field = (definition: unknown) => ({ mappings: { fields: { a: definition } } });

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
