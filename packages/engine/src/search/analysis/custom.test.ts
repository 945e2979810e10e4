import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAnalyzers } from '../../interface/search/index.ts';
import { type Analyzer, allTokens, analyzerNamed, autocompleteAnalyzer, customAnalyzer } from './index.ts';

function made(definition: object): Analyzer {
  const [analyzer] = newAnalyzers([{ name: 'mine', tokenizer: { type: 'whitespace' }, ...definition }], '');
  return customAnalyzer(analyzer ?? assert.fail());
}

const terms = (definition: object, text: string) => allTokens(made(definition), text).map(({ term }) => term);
const filtered = (filter: object, text: string) => terms({ tokenFilters: [filter] }, text).join(' ');
/** Prints tokens as `term@start-end#position`. */
const placed = (definition: object, text: string) =>
  allTokens(made(definition), text)
    .map(({ term, start, end, position }) => `${term}@${start}-${end}#${position}`)
    .join(' ');

test('char filters change the text, and tokens keep their offsets in the original', () => {
  const html = '<p>Hello <b>bold</b>ly &amp; caf&eacute;<br/>x<script>no()</script><!-- no --></p>';
  assert.equal(
    placed({ charFilters: [{ type: 'htmlStrip' }] }, html),
    'Hello@3-8#0 boldly@12-22#1 &@23-28#2 café@29-40#3 x@45-46#4',
  );
  const kept = { charFilters: [{ type: 'htmlStrip', ignoredTags: ['a'] }] };
  assert.deepEqual(terms(kept, '<a>x</a> <i>y</i>'), ['<a>x</a>', 'y']);
  const mapping = { charFilters: [{ type: 'mapping', mappings: { ab: 'x', abc: 'yy', ':)': 'happy' } }] };
  assert.equal(placed(mapping, 'abc ab a:)'), 'yy@0-3#0 x@4-6#1 ahappy@7-10#2');
  assert.deepEqual(terms({ charFilters: [{ type: 'icuNormalize' }] }, 'Ｈｅｌｌｏ ﬁne Straße'), [
    'hello',
    'fine',
    'strasse',
  ]);
  assert.deepEqual(terms({ charFilters: [{ type: 'persian' }] }, 'می\u200cخورد'), ['می', 'خورد']);
});

test('tokenizers split the text', () => {
  const by = (tokenizer: object, text: string) => terms({ tokenizer }, text).join(' ');
  assert.equal(by({ type: 'nGram', minGram: 1, maxGram: 2 }, 'abc'), 'a ab b bc c');
  assert.equal(by({ type: 'edgeGram', minGram: 2, maxGram: 7 }, 'a😀c'), 'a😀 a😀c');
  assert.equal(by({ type: 'regexCaptureGroup', pattern: '(\\d+)-(\\d+)', group: 2 }, '12-34, 5-6'), '34 6');
  assert.equal(by({ type: 'regexSplit', pattern: '[-. ]+' }, 'a-b. c..d'), 'a b c d');
  assert.equal(by({ type: 'standard', maxTokenLength: 3 }, 'abcdefgh'), 'abc def gh');
  assert.equal(by({ type: 'whitespace', maxTokenLength: 2 }, 'abc d'), 'ab c d');
  assert.equal(by({ type: 'keyword' }, 'a b'), 'a b');
  assert.equal(
    by({ type: 'uaxUrlEmail' }, 'mail lewinsky@example.com or http://x.com/a?b=c. www.test.org, x@y'),
    'mail lewinsky@example.com or http://x.com/a?b=c www.test.org x y',
  );
});

test('token filters change terms', () => {
  assert.equal(filtered({ type: 'asciiFolding' }, 'Siân Æsop'), 'Sian AEsop');
  assert.equal(filtered({ type: 'asciiFolding', originalTokens: 'include' }, 'Siân x'), 'Sian Siân x');
  assert.equal(filtered({ type: 'englishPossessive' }, "Tom's"), 'Tom');
  assert.equal(filtered({ type: 'flattenGraph' }, 'a b'), 'a b');
  assert.equal(
    filtered({ type: 'icuFolding' }, 'Résumé Straße ١٢ Ødegård ﬁ'),
    'resume strasse 12 odegard fi',
  );
  assert.equal(filtered({ type: 'icuNormalizer', normalizationForm: 'nfkc' }, 'ﬁ'), 'fi');
  assert.equal(filtered({ type: 'icuNormalizer', normalizationForm: 'nfd' }, 'é'), 'e\u0301');
  assert.equal(
    filtered(
      { type: 'kStemming' },
      'running meetings cities organizations hoping hopped tried boxes agreed creating as',
    ),
    'run meeting city organization hope hop try box agree create as',
  );
  assert.equal(
    filtered({ type: 'englishMinimalStemming' }, 'meetings cities shoes running glass bus days'),
    'meeting city shoes running glass bus day',
  );
  assert.equal(filtered({ type: 'length', min: 2, max: 3 }, 'a ab abc abcd'), 'ab abc');
  assert.equal(filtered({ type: 'lowercase' }, 'ABC'), 'abc');
  assert.equal(filtered({ type: 'porterStemming' }, "relational team's Tom's"), "relat team' Tom's");
  assert.equal(
    filtered({ type: 'regex', pattern: '^(.)(.)', replacement: '$2$1', matches: 'first' }, 'abc'),
    'bac',
  );
  assert.equal(filtered({ type: 'regex', pattern: '[ab]', replacement: '', matches: 'all' }, 'abca'), 'c');
  const words = { type: 'regex', pattern: '^(?!\\$)(?=[^)]*x)\\w+', replacement: '', matches: 'all' };
  assert.deepEqual(terms({ tokenFilters: [words] }, 'axe $x abc'), ['', '$x', 'abc']);
  assert.deepEqual(terms({ tokenFilters: [words, { type: 'stopword', tokens: [''] }] }, 'axe $x'), ['$x']);
  assert.equal(filtered({ type: 'reverse' }, 'ab😀'), '😀ba');
  assert.equal(
    filtered({ type: 'spanishPluralStemming' }, 'casas peces azules lunes página días más análisis'),
    'casa pez azul lunes pagina dia más analisis',
  );
  assert.equal(filtered({ type: 'stempel' }, 'książkami'), 'książk');
  assert.equal(filtered({ type: 'stopword', tokens: ['THE'] }, 'The fox'), 'fox');
  assert.equal(filtered({ type: 'stopword', tokens: ['THE'], ignoreCase: false }, 'The fox'), 'The fox');
  assert.deepEqual(terms({ tokenizer: { type: 'keyword' }, tokenFilters: [{ type: 'trim' }] }, ' a '), ['a']);
  for (const [stemmerName, expected] of [
    ['german2', 'haus'],
    ['lithuanian', 'haeuser'],
    ['kp', 'haeuser'],
    ['lovins', 'haeuser'],
    ['english', 'haeuser'],
    ['estonian', 'haeuser'],
  ]) {
    assert.equal(filtered({ type: 'snowballStemming', stemmerName }, 'haeuser'), expected);
  }
});

test('a repeated token stays unchanged once', () => {
  const repeated = (...filters: object[]) => ({ tokenFilters: [{ type: 'keywordRepeat' }, ...filters] });
  const once = { type: 'removeDuplicates' };
  const text = "The team's weekly meeting";
  assert.equal(placed(repeated(), 'a b'), 'a@0-1#0 a@0-1#0 b@2-3#1 b@2-3#1');
  assert.deepEqual(terms(repeated(once), text), ['The', "team's", 'weekly', 'meeting']);
  assert.equal(
    terms(repeated({ type: 'porterStemming' }, once), text).join(' '),
    "The team's team' weekly weekli meeting meet",
  );
  for (const type of ['englishMinimalStemming', 'kStemming', 'spanishPluralStemming', 'stempel']) {
    assert.equal(terms(repeated({ type }, once), 'barami cosas').length, 3, type);
  }
  const delimiter = {
    type: 'wordDelimiterGraph',
    delimiterOptions: { preserveOriginal: false, ignoreKeywords: true },
  };
  assert.deepEqual(terms(repeated(delimiter), 'wi-fi'), ['wi-fi', 'wi', 'fi']);
});

test('filters make several tokens of one', () => {
  const grams = { minGram: 2, maxGram: 3 };
  assert.equal(filtered({ type: 'edgeGram', ...grams }, 'a abcd'), 'ab abc');
  assert.equal(
    filtered({ type: 'edgeGram', ...grams, termNotInBounds: 'include' }, 'a abcd'),
    'a ab abc abcd',
  );
  assert.equal(
    placed({ tokenFilters: [{ type: 'nGram', minGram: 1, maxGram: 2 }] }, 'x abc').slice(8),
    ' a@2-5#1 ab@2-5#1 b@2-5#1 bc@2-5#1 c@2-5#1'.slice(1),
  );
  // The examples of Lucene's TestShingleFilter, one of them with a removed word.
  const two = { type: 'shingle', minShingleSize: 2, maxShingleSize: 2 };
  const without = { tokenFilters: [{ type: 'stopword', tokens: ['this'] }, two] };
  assert.deepEqual(terms(without, 'please divide this sentence'), [
    'please',
    'please divide',
    'divide',
    'divide _',
    '_ sentence',
    'sentence',
  ]);
});

test('names that sound alike have the same code', () => {
  const codes = (name: string) =>
    filtered({ type: 'daitchMokotoffSoundex', originalTokens: 'omit' }, name).split(' ').toSorted();
  // The first example is from JewishGen's page about Daitch–Mokotoff Soundex.
  assert.deepEqual(codes('AUERBACH'), codes('OHRBACH'));
  assert.deepEqual(codes('AUERBACH'), ['097400', '097500']);
  assert.deepEqual(codes('Moskowitz'), ['645740']);
  assert.deepEqual(codes('Peters'), ['734000', '739400']);
  assert.deepEqual(codes('Jackson'), ['145460', '154600', '445460', '454600']);
  assert.equal(filtered({ type: 'daitchMokotoffSoundex' }, 'Moskowitz'), 'Moskowitz 645740');
});

test('compound words are split, and the positions of later tokens move', () => {
  const options = (delimiterOptions: object, more: object = {}) => ({
    tokenFilters: [{ type: 'wordDelimiterGraph', delimiterOptions, ...more }],
  });
  assert.equal(
    placed(options({}), "Wi-Fi Tom's PowerShot2 x"),
    "Wi-Fi@0-5#0 Wi@0-2#0 Fi@3-5#1 Tom's@6-11#2 Tom@6-9#2 PowerShot2@12-22#3 Power@12-17#3 Shot@17-21#4 2@21-22#5 x@23-24#6",
  );
  const joined = {
    concatenateAll: true,
    concatenateWords: true,
    concatenateNumbers: true,
    preserveOriginal: false,
  };
  assert.equal(
    placed(options(joined), 'wi-fi-4000 500-42'),
    'wifi4000@0-10#0 wifi@0-5#0 wi@0-2#0 fi@3-5#1 4000@6-10#2 50042@11-17#3 500@11-14#3 42@15-17#4',
  );
  const whole = options(
    { splitOnCaseChange: false, splitOnNumerics: false, preserveOriginal: false },
    { protectedWords: { words: ['WI-FI'] } },
  );
  assert.deepEqual(terms(whole, 'wi-fi SD500-b iPhone --'), ['wi-fi', 'SD500', 'b', 'iPhone']);
  const none = options({ generateWordParts: false, stemEnglishPossessive: false, preserveOriginal: false });
  assert.deepEqual(terms(none, 'ab-12'), ['12']);
});

test('autocompletion indexes the beginnings of words, their ends, or all pieces', () => {
  const words = analyzerNamed('lib.standard') ?? assert.fail();
  const grams = (tokenization: 'edgeGram' | 'nGram' | 'rightEdgeGram', foldDiacritics = true) =>
    allTokens(
      autocompleteAnalyzer(words, { minGrams: 2, maxGrams: 3, tokenization, foldDiacritics }),
      'Café x',
    )
      .map(({ term }) => term)
      .join(' ');
  // A word that is too short for a gram is a token itself. If a word or a group of words is longer than the longest
  // gram, its longest gram occurs twice.
  assert.equal(grams('edgeGram'), 'ca caf caf ca caf caf x');
  assert.equal(grams('rightEdgeGram'), 'fe afe afe x  x e x e x');
  assert.equal(grams('rightEdgeGram', false), 'fé afé afé x  x é x é x');
  assert.equal(grams('nGram'), 'ca caf af afe fe caf ca caf af afe fe fe  e  e x  x caf x');
});
