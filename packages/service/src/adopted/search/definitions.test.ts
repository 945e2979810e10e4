import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMadeFrom } from './definitions.ts';

const asked = {
  mappings: { dynamic: true, fields: { name: { type: 'string' } } },
  synonyms: [{ name: 's' }],
};

test('a definition with default values of options is recognized', () => {
  assert.ok(isMadeFrom(asked, asked));
  assert.ok(isMadeFrom({ mappings: { dynamic: true } }, { mappings: { dynamic: true, fields: {} } }));
  assert.ok(
    isMadeFrom(asked, {
      ...asked,
      analyzer: 'lucene.standard',
      mappings: { dynamic: true, fields: { name: { type: 'string', store: true, norms: 'include' } } },
      synonyms: [{ name: 's', analyzer: 'lucene.standard' }],
    }),
  );
  const named = (option: object) => ({ mappings: { fields: { fields: { type: 'string', ...option } } } });
  assert.ok(isMadeFrom(named({}), named({ store: true })));
  const vectors = { fields: [{ type: 'vector', path: 'v', numDimensions: 3, similarity: 'cosine' }] };
  const [field] = vectors.fields;
  assert.ok(isMadeFrom(vectors, { fields: [{ ...field, quantization: 'none' }] }));
});

test('a definition with other values, fields or elements is not recognized', () => {
  const { mappings, synonyms } = asked;
  for (const other of [
    undefined,
    {},
    { mappings },
    { mappings: { ...mappings, dynamic: false }, synonyms },
    { mappings: { dynamic: true }, synonyms },
    { mappings: { dynamic: true, fields: { ...mappings.fields, port: { type: 'string' } } }, synonyms },
    { mappings: { dynamic: true, fields: { name: [{ type: 'string' }] } }, synonyms },
    { mappings, synonyms: [...synonyms, { name: 't' }] },
  ])
    assert.equal(isMadeFrom(asked, other), false, JSON.stringify(other));
  assert.equal(isMadeFrom({ mappings: { dynamic: true } }, asked), false);
});
