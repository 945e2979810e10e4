import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzerNamed } from './index.ts';
import { TOKEN } from './tokenizers/word-classes.ts';

test('the word pattern matches at one position only', () => {
  TOKEN.lastIndex = 0;
  // Otherwise, every character that begins no word would cost a scan of the rest of the text.
  assert.equal(TOKEN.exec('\u0301 word'), null);
});

test('many joining characters form a word with the text after them', () => {
  const analyzer = analyzerNamed('lib.standard') ?? assert.fail();
  assert.equal(analyzer(`${'_'.repeat(300)}é`).length, 2);
});
