import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzerNamed } from './index.ts';
import { TOKEN } from './tokenizers/word-classes.ts';

test('the grammar of words looks at one place alone', () => {
  TOKEN.lastIndex = 0;
  // A search on from there would look at the rest of the text again for every character that begins no word.
  assert.equal(TOKEN.exec('\u0301 word'), null);
});

test('joining characters without end are a word with what follows them', () => {
  const analyzer = analyzerNamed('lib.standard') ?? assert.fail();
  assert.equal(analyzer(`${'_'.repeat(300)}é`).length, 2);
});
