import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtInAnalyzers, newAnalyzers } from '../../interface/search/index.ts';
import { type Analyzer, allTokens, analyzerNamed, autocompleteAnalyzer, customAnalyzer } from './index.ts';
import { TOKEN } from './tokenizers/word-classes.ts';

test('the word pattern matches at one position only', () => {
  TOKEN.lastIndex = 0;
  // If the pattern also searched after this position, each character that begins no word would cause a scan of the
  // rest of the text.
  assert.equal(TOKEN.exec('\u0301 word'), null);
});

test('the word pattern is not tried at characters with which no word begins', () => {
  const analyzer = analyzerNamed('lib.standard') ?? assert.fail();
  const exec = TOKEN.exec;
  let tries = 0;
  TOKEN.exec = (text) => {
    tries++;
    return exec.call(TOKEN, text);
  };
  try {
    assert.equal(allTokens(analyzer, `a${'\u0301'.repeat(20_000)}${'\u2010'.repeat(20_000)}é`).length, 65);
  } finally {
    TOKEN.exec = exec;
  }
  assert.ok(tries < 10, `${tries}`);
});

test('many joining characters form a word with the text after them', () => {
  const analyzer = analyzerNamed('lib.standard') ?? assert.fail();
  assert.equal(allTokens(analyzer, `${'_'.repeat(300)}é`).length, 2);
  assert.deepEqual(allTokens(analyzer, `${'\u203f'.repeat(20_000)}. é`).length, 1);
});

/** Each text repeats one of these pieces and ends with a character at which a pattern may fail to match. */
const pieces =
  `a|a.|a-|_|\u203f|é|a@|a@b|http://|http://a.|www.|a/|:|a'|"|\u05d0"|1,|aA|ß|a\u0301\u0316|\u200d|\u{1f1e6}
  #\ufe0f|กา|一|カ|한|<|<a "|<!--|<script>|<a "> |&|&#|\ufdfa|y|ing|ue|\u0915\u094d|\u0640|\ud800|l'|sch|\u3000|٠`.split(
    /\||\n\s+/,
  );

/** A smaller selection of pieces, for analyzers that have parts in common. */
const fewPieces = ['a.', '\u203f', "a'", 'a\u0301\u0316', 'กา', '一', 'カ', '한', 'y', 'ing'];

const SMALL = 1_000;
const GROWTH = 8;

/** Maximum factor by which the time may grow for eight times the text. Quadratic work would take 64 times as long. */
const MAX_GROWTH = 24;

const ATTEMPTS = 20;

/** CPU times below this many milliseconds are not exact enough. */
const TOO_SHORT = 25;

function processorTime(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function drain(analyzer: Analyzer, text: string): void {
  for (const _ of analyzer(text));
}

/**
 * Returns the factor by which the time grows for a text eight times as long, or 1 if the time is too short to measure.
 */
function growth(analyzer: Analyzer, piece: string): number {
  const [small, large] = [SMALL, SMALL * GROWTH].map(
    (length) => `${piece.repeat(length / piece.length)}!`,
  ) as [string, string];
  drain(analyzer, small);
  // Takes the least of several measurements, because any of them may include garbage collections, and stalls of a
  // virtual machine.
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > MAX_GROWTH; attempt++) {
    const long = processorTime(() => drain(analyzer, large));
    if (long < TOO_SHORT) return 1;
    const short = processorTime(() => drain(analyzer, small));
    least = Math.min(least, long / short);
  }
  return least;
}

function checkGrowth(analyzer: Analyzer, texts: readonly string[]): void {
  for (const piece of texts) {
    const times = growth(analyzer, piece);
    assert.ok(times <= MAX_GROWTH, `${JSON.stringify(piece)}: ${times} times for ${GROWTH} times the text`);
  }
}

const made = (definition: object) => {
  const [one] = newAnalyzers([{ name: 'mine', tokenizer: { type: 'keyword' }, ...definition }], '');
  return customAnalyzer(one ?? assert.fail());
};

const tokenizers: readonly object[] = [
  ...['standard', 'uaxUrlEmail', 'whitespace'].map((type) => ({ type })),
  ...['edgeGram', 'nGram'].map((type) => ({ type, minGram: 1, maxGram: 3 })),
];

const filters: readonly object[] = [
  ...'asciiFolding daitchMokotoffSoundex englishPossessive icuFolding kStemming lowercase porterStemming reverse'
    .split(' ')
    .map((type) => ({ type })),
  ...['englishMinimalStemming', 'keywordRepeat', 'removeDuplicates'].map((type) => ({ type })),
  ...['spanishPluralStemming', 'stempel', 'trim', 'wordDelimiterGraph'].map((type) => ({ type })),
  ...['nfc', 'nfd', 'nfkc', 'nfkd'].map((form) => ({ type: 'icuNormalizer', normalizationForm: form })),
  ...['german2', 'french', 'turkish'].map((name) => ({ type: 'snowballStemming', stemmerName: name })),
  ...['edgeGram', 'nGram'].map((type) => ({ type, minGram: 1, maxGram: 3 })),
  { type: 'shingle', minShingleSize: 2, maxShingleSize: 3 },
  { type: 'shingle', minShingleSize: 100_000, maxShingleSize: 200_000 },
  { type: 'stopword', tokens: ['a'] },
  { type: 'length', min: 1, max: 3 },
  { type: 'wordDelimiterGraph', delimiterOptions: { concatenateAll: true, concatenateWords: true } },
  { type: 'regex', pattern: '(a|b)+', replacement: '$0$0', matches: 'all' },
];

/** For each of its matches, this pattern reads the rest of the text, unless the text is divided. */
const GREEDY = 'a.*z|a';

const withPatterns: readonly object[] = [
  { tokenizer: { type: 'regexSplit', pattern: GREEDY } },
  { tokenizer: { type: 'regexCaptureGroup', pattern: `(${GREEDY})`, group: 1 } },
  { tokenFilters: [{ type: 'regex', pattern: GREEDY, replacement: 'x', matches: 'all' }] },
];

const charFilters: readonly object[] = [
  ...['htmlStrip', 'icuNormalize', 'persian'].map((type) => ({ type })),
  { type: 'mapping', mappings: { [`${'a'.repeat(2_000)}b`]: 'x', aa: 'y' } },
];

describe('between the batches of one text, other work can run', () => {
  const batches = (definition: object, text: string) => [...made(definition)(text)].length;

  test('often, if many char filters rewrite the text', () => {
    const text = `${'a'.repeat(99)} `.repeat(1_000);
    const charFilters = Array.from({ length: 20 }, () => ({ type: 'mapping', mappings: { a: 'b', b: 'a' } }));
    const tokenizer = { type: 'whitespace' };
    assert.ok(batches({ tokenizer, charFilters: charFilters.slice(0, 1) }, text) < 20);
    assert.ok(batches({ tokenizer, charFilters }, text) > 60);
  });

  test('if many characters begin no word', () => {
    assert.ok(batches({ tokenizer: { type: 'standard' } }, '\u{1f1e6}'.repeat(8_000)) > 7);
  });

  test('between char filters, and within a char filter', () => {
    const text = '\u00c9'.repeat(30_000);
    const charFilters = Array.from({ length: 10 }, () => ({ type: 'icuNormalize' }));
    assert.ok(batches({ charFilters: charFilters.slice(0, 1) }, text) > 10);
    assert.ok(batches({ charFilters }, text) > 15);
    const unchanged = '\u4e00'.repeat(30_000);
    assert.ok(batches({ charFilters: charFilters.slice(0, 1) }, unchanged) > 10);
    const persian = Array.from({ length: 200 }, () => ({ type: 'persian' }));
    assert.ok(batches({ charFilters: persian }, 'a'.repeat(30_000)) > 100);
  });

  test('before the first batch, if many filters read a long term', () => {
    const tokenFilters = Array.from({ length: 20 }, () => ({ type: 'wordDelimiterGraph' }));
    assert.equal(batches({ tokenFilters: [] }, 'a'.repeat(30_000)), 1);
    assert.ok(batches({ tokenFilters }, 'a'.repeat(30_000)) > 4);
  });

  test('often, if a pattern replaces short terms by long ones', () => {
    const text = 'a '.repeat(200);
    const regex = (replacement: string) => ({ type: 'regex', pattern: 'a', replacement, matches: 'all' });
    const replaced = (...replacements: string[]) =>
      batches({ tokenizer: { type: 'whitespace' }, tokenFilters: replacements.map(regex) }, text);
    assert.ok(replaced('x') < 10);
    assert.ok(replaced('y'.repeat(50_000)) > 100);
    assert.ok(replaced('$0'.repeat(10_000)) > 10);
    assert.ok(replaced('y'.repeat(50_000), 'x') > 100);
    const one = made({ tokenizer: { type: 'whitespace' }, tokenFilters: [regex('$0'.repeat(20_000))] });
    assert.ok((allTokens(one, 'a')[0]?.term.length ?? 0) <= 32_768);
  });

  test('often, if a pattern reads the rest of the text for each match', () => {
    const text = 'ab '.repeat(1_300);
    for (const group of [1, 3]) {
      const tokenizer = { type: 'regexCaptureGroup', pattern: '(a.*z|a)(b.*y|b)?(q)?', group };
      assert.ok(batches({ tokenizer }, text) > 30, `${group}`);
    }
    assert.ok(batches({ tokenizer: { type: 'regexSplit', pattern: '(a.*z|a)(b.*y|b)?(q)?' } }, text) > 30);
  });
});

test('a term is not folded beyond the maximum length of a term', () => {
  const [token] = allTokens(made({ tokenFilters: [{ type: 'icuFolding' }] }), '\ufdfa'.repeat(30_000));
  assert.equal(token?.term.length, 32_767);
});

test('a term that is longer than a name has no codes of its sound', () => {
  const filter = made({ tokenFilters: [{ type: 'daitchMokotoffSoundex' }] });
  const terms = (text: string) => allTokens(filter, text).map(({ term }) => term);
  assert.ok(terms('ję'.repeat(100)).length > 50);
  assert.deepEqual(terms('ję'.repeat(200)), ['ję'.repeat(200)]);
});

describe('time grows as the text does', () => {
  for (const tokenizer of tokenizers) {
    test(`in a tokenizer: ${JSON.stringify(tokenizer)}`, () => checkGrowth(made({ tokenizer }), pieces));
  }
  for (const filter of charFilters) {
    const name = JSON.stringify(filter).slice(0, 50);
    test(`in a char filter: ${name}`, () => checkGrowth(made({ charFilters: [filter] }), pieces));
  }
  for (const filter of filters) {
    test(`in a token filter: ${JSON.stringify(filter)}`, () => {
      checkGrowth(made({ tokenFilters: [filter] }), pieces);
      checkGrowth(made({ tokenizer: { type: 'whitespace' }, tokenFilters: [filter] }), fewPieces);
    });
  }
  for (const definition of withPatterns) {
    test(`with a greedy pattern: ${JSON.stringify(definition)}`, () => checkGrowth(made(definition), ['a']));
  }
  for (const name of builtInAnalyzers) {
    test(`in an analyzer: ${name}`, () => {
      checkGrowth(analyzerNamed(`lib.${name}`) ?? assert.fail(name), fewPieces);
    });
  }
  for (const tokenization of ['edgeGram', 'nGram', 'rightEdgeGram'] as const) {
    test(`in completions: ${tokenization}`, () => {
      const options = { minGrams: 2, maxGrams: 15, tokenization, foldDiacritics: true };
      const words = analyzerNamed('lib.whitespace') ?? assert.fail();
      checkGrowth(autocompleteAnalyzer(words, options), fewPieces);
    });
  }
});
