import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTokens, analyzerNamed } from './index.ts';

const tokensOf = (analyzer: string, text: string) =>
  allTokens(analyzerNamed(analyzer) ?? assert.fail(analyzer), text);

function terms(analyzer: string, text: string): string[] {
  return tokensOf(analyzer, text).map(({ term }) => term);
}

// From Lucene's TestStandardAnalyzer, which takes most cases from the test data of UAX #29.
const standard: Record<string, string[]> = {
  "O'Reilly you're she's": ["o'reilly", "you're", "she's"],
  'B2B and 2B': ['b2b', 'and', '2b'],
  'some-dashed-phrase': ['some', 'dashed', 'phrase'],
  'dogs,chase,cats ac/dc': ['dogs', 'chase', 'cats', 'ac', 'dc'],
  '21.35 216.239.63.104 R2D2 C3PO': ['21.35', '216.239.63.104', 'r2d2', 'c3po'],
  'David has 5000 bones': ['david', 'has', '5000', 'bones'],
  'C embedded developers wanted. C++ C#': ['c', 'embedded', 'developers', 'wanted', 'c', 'c'],
  'foo bar FOO BAR _ __ a_b': ['foo', 'bar', 'foo', 'bar', 'a_b'],
  'Вы любите кофе': ['вы', 'любите', 'кофе'],
  '我是中国人。 １２３４ Ｔｅｓｔｓ ': ['我', '是', '中', '国', '人', '１２３４', 'ｔｅｓｔｓ'],
  'ひらがな カタカナ': ['ひ', 'ら', 'が', 'な', 'カタカナ'],
  '안녕하세요 한글입니다': ['안녕하세요', '한글입니다'],
  'การที่ได้ต้องแสดงว่างานดี. แล้วเธอจะไปไหน? ๑๒๓๔': ['การที่ได้ต้องแสดงว่างานดี', 'แล้วเธอจะไปไหน', '๑๒๓๔'],
  'ወይዘሮ ብርቱኳን': ['ወይዘሮ', 'ብርቱኳን'],
  'ארה"ב שלום': ['ארה"ב', 'שלום'],
  '👩‍❤️‍👩 🇺🇸🇺🇸 1️⃣': ['👩‍❤️‍👩', '🇺🇸', '🇺🇸', '1️⃣'],
  'word\u200bjoined a\u00a0b c\\d': ['word', 'joined', 'a', 'b', 'c', 'd'],
  'wo\ufeffrd \ufeffword': ['wo\ufeffrd', 'word'],
};

test('the standard analyzer finds the words that Lucene finds', () => {
  for (const [text, expected] of Object.entries(standard)) {
    assert.deepEqual(terms('lib.standard', text), expected);
  }
});

test('letters are lowercased one by one, without regard to context or locale', () => {
  assert.deepEqual(terms('lib.standard', 'ΟΔΟΣ İ IRMAK STRASSE \u{10400}'), [
    'οδοσ',
    'i',
    'irmak',
    'strasse',
    '\u{10428}',
  ]);
});

test('a token has its offsets in the text; one that is too long is split', () => {
  assert.deepEqual(tokensOf('lucene.standard', '— The fox'), [
    { term: 'the', start: 2, end: 5, position: 0 },
    { term: 'fox', start: 6, end: 9, position: 1 },
  ]);
  assert.deepEqual(
    tokensOf('lucene.standard', 'x'.repeat(300)).map(({ end }) => end),
    [255, 300],
  );
});

test('simple splits at non-letters, whitespace at white space, and keyword nowhere', () => {
  const text = "Lion's 2 CUBS-and C++";
  assert.deepEqual(terms('lib.simple', text), ['lion', 's', 'cubs', 'and', 'c']);
  assert.deepEqual(terms('lib.whitespace', text), ["Lion's", '2', 'CUBS-and', 'C++']);
  assert.deepEqual(terms('lib.keyword', text), [text]);
  assert.deepEqual(terms('lib.keyword', ''), []);
});

// From Lucene's TestEnglishAnalyzer and TestPorterStemFilter.
test('the English analyzer removes possessives and stop words and stems the rest', () => {
  assert.deepEqual(terms('lib.english', "The books of Steven’s books' relational ponies possibly"), [
    'book',
    'steven',
    'book',
    'relat',
    'poni',
    'possibl',
  ]);
  assert.deepEqual(
    tokensOf('lib.english', 'the fox').map(({ position }) => position),
    [1],
  );
});

test('there are no analyzers of other names', () => {
  for (const name of ['standard', 'lib.nothing', 'lib.toString', 'db.standard', '']) {
    assert.equal(analyzerNamed(name), undefined);
  }
});
