import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDefinition } from './index.ts';
import { wrong } from './testing-definitions.ts';

const analyzer = (part: object) => ({
  mappings: { dynamic: true },
  analyzers: [{ name: 'mine', tokenizer: { type: 'standard' }, ...part }],
});
const filter = (tokenFilter: object) => analyzer({ tokenFilters: [tokenFilter] });

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
    [
      analyzer({ charFilters: Array.from({ length: 501 }, () => ({ type: 'persian' })) }),
      `${at}.charFilters" must have at most 500 elements`,
    ],
    [
      analyzer({ tokenFilters: Array.from({ length: 501 }, () => ({ type: 'trim' })) }),
      `${at}.tokenFilters" must have at most 500 elements`,
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
