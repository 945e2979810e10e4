import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentLibrary } from './library.ts';
import { exampleInput } from './testing.ts';

describe('document library', () => {
  it('creates each document once, with an ETag of its content', () => {
    const library = new DocumentLibrary(exampleInput);
    const made = library.get('2025-03-12');
    assert.ok(made);
    assert.equal(library.get('2025-03-12'), made);
    assert.match(made.etag, /^"[\w-]{27}"$/);
    assert.notEqual(library.get('v1.0')?.etag, made.etag);
    assert.equal(new DocumentLibrary(exampleInput).get('2025-03-12')?.etag, made.etag);
  });

  it('returns nothing for an unknown edition', () => {
    const library = new DocumentLibrary(exampleInput);
    for (const name of ['2023-02-01', '2025-03-13', 'v2', '']) assert.equal(library.get(name), undefined);
  });
});
