import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Document } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { shownDefinition } from './shown-definition.ts';

const shown = (definition: Document) => shownDefinition(RawDocument.from(definition)).toObject();

it('the shown definition contains the default options of fields', () => {
  const fields = {
    title: { type: 'string', store: false },
    year: [{ type: 'number' }, { type: 'token' }],
    cast: { type: 'embeddedDocuments', fields: { age: { type: 'number', representation: 'int64' } } },
    more: { type: 'document' },
    seen: { type: 'date' },
  };
  assert.deepEqual(shown({ analyzer: 'lucene.simple', mappings: { dynamic: true, fields } }), {
    analyzer: 'lucene.simple',
    mappings: {
      dynamic: true,
      fields: {
        title: { type: 'string', store: false, indexOptions: 'offsets', norms: 'include' },
        year: [
          { type: 'number', representation: 'double', indexIntegers: true, indexDoubles: true },
          { type: 'token' },
        ],
        cast: {
          type: 'embeddedDocuments',
          fields: {
            age: { type: 'number', representation: 'int64', indexIntegers: true, indexDoubles: true },
          },
          dynamic: false,
        },
        more: { type: 'document', dynamic: false, fields: {} },
        seen: { type: 'date' },
      },
    },
  });
});

it('a definition without fields is shown as it is', () => {
  const definition = { mappings: { dynamic: false } };
  assert.deepEqual(shown(definition), definition);
  const vectors = { fields: [{ type: 'vector', path: 'v', numDimensions: 2, similarity: 'cosine' }] };
  assert.deepEqual(shown(vectors), vectors);
});
