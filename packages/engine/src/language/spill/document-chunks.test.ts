import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import { DocumentChunks } from './document-chunks.ts';

describe('documents in chunks', () => {
  it('are equal to those that were given, and share few buffers', () => {
    const chunks = new DocumentChunks();
    const given = Array.from({ length: 5_000 }, (_, n) => RawDocument.from({ n, text: 'x'.repeat(n % 50) }));
    const kept = given.map((document) => chunks.keep(document));
    for (const [i, document] of kept.entries()) assert.ok(document.equals(given[i] as RawDocument));
    assert.ok(new Set(kept.map(({ bytes }) => bytes)).size <= 5);
  });

  it('do not contain large documents', () => {
    const large = RawDocument.from({ text: 'x'.repeat(10_000) });
    const kept = new DocumentChunks().keep(large);
    assert.ok(kept.equals(large));
    assert.equal(kept.bytes.buffer.byteLength, large.length);
  });
});
