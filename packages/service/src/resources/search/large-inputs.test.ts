import { type LargeInput, many, testLargeInputs } from '@portolan/test-support/counted-reads';
import { checkDefinition, readNewAnalyzers } from './rules.ts';

const fieldsOf = <T>(count: number, make: (i: number) => T) =>
  Object.fromEntries(many(count, (i) => [`f${i}`, make(i)]));

const definition = (input: object, type: 'search' | 'vectorSearch' = 'search'): LargeInput => ({
  input,
  rules: (own) => checkDefinition(type, own, [], 'definition'),
});

const nested = many(30, (i) => i).reduce<object>((fields) => ({ a: { type: 'document', fields } }), {
  a: { type: 'string' },
});

testLargeInputs({
  'fields of a search index': definition({ mappings: { fields: fieldsOf(900, () => ({ type: 'string' })) } }),
  'nested fields of a search index': definition({ mappings: { fields: nested } }),
  'synonyms of a search index': definition({
    mappings: { dynamic: true },
    synonyms: many(500, (i) => ({ name: `s${i}`, analyzer: 'lib.standard', source: { collection: 'c' } })),
  }),
  'fields of a vector index': definition(
    { fields: many(500, (i) => ({ type: 'filter', path: `f${i}` })) },
    'vectorSearch',
  ),
  analyzers: {
    input: many(300, (i) => ({
      name: `a${i}`,
      charFilters: [{ type: 'mapping', mappings: fieldsOf(5, (n) => `x${n}`) }],
      tokenizer: { type: 'standard' },
      tokenFilters: [{ type: 'lowercase' }, { type: 'stopword', tokens: many(5, (n) => `t${n}`) }],
    })),
    rules: (analyzers) => readNewAnalyzers(analyzers),
  },
});
