import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stableText } from '../schema/stable-text.ts';
import { documentSteps, openApiDocument } from './document.ts';
import { DocumentLibrary, type ServedText } from './library.ts';
import { inTurns } from './steps.ts';
import { exampleInput } from './testing.ts';

const edition = { name: '2025-03-12', date: '2025-03-12', legacy: false } as const;

describe('document library', () => {
  it('creates each document once, with an entity tag of its content', async () => {
    const library = new DocumentLibrary(exampleInput);
    const [made, again] = await Promise.all([library.get('2025-03-12'), library.get('2025-03-12')]);
    assert.ok(made);
    assert.equal(again, made);
    assert.equal(await library.get('2025-03-12'), made);
    const tagOf = async (text: ServedText | undefined) => (await text?.content.for({}))?.headers.etag;
    const tag = await tagOf(made);
    assert.match(tag ?? '', /^"[\w-]{27}"$/);
    assert.notEqual(await tagOf(await library.get('v1.0')), tag);
    assert.equal(await tagOf(await new DocumentLibrary(exampleInput).get('2025-03-12')), tag);
  });

  it('serializes a document in pieces, with the same text', async () => {
    const made = await new DocumentLibrary(exampleInput).get('2025-03-12');
    assert.equal(made?.body, stableText(openApiDocument(edition, exampleInput)));
  });

  it('pauses while it makes a document', async () => {
    const { operations } = exampleInput;
    let pauses = 0;
    await inTurns(documentSteps(edition, exampleInput), async () => void pauses++);
    assert.ok(pauses >= Math.floor(operations.length / 8), `${pauses}`);
    assert.ok(pauses > 0);
  });

  it('returns nothing for an unknown edition', async () => {
    const library = new DocumentLibrary(exampleInput);
    for (const name of ['2023-02-01', '2025-03-13', 'v2', ''])
      assert.equal(await library.get(name), undefined);
  });
});
