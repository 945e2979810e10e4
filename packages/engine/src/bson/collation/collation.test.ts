import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import { raw } from '../../language/testing/documents.ts';
import { valueFrom } from '../../language/testing/values.ts';
import { normalized } from '../normal-forms.ts';
import { pollsOf } from '../testing-turns.ts';
import { textOf } from '../value.ts';
import { graphemesOf } from './graphemes.ts';
import { comparisonBy, describeCollation, foldingBy, readCollation } from './index.ts';
import { comparedInParts } from './parts.ts';

function comparison(collation: Document) {
  return comparisonBy(readCollation(raw(collation)));
}

function order(collation: Document, a: unknown, b: unknown): number {
  return Math.sign(comparison(collation).compare(valueFrom(a), valueFrom(b)));
}

function foldingOf(collation: Document) {
  const spec = readCollation(raw(collation));
  assert.ok(spec);
  return foldingBy(spec);
}

describe('a collation', () => {
  const cases: Array<[Document, unknown, '<' | '=' | '>', unknown]> = [
    [{ locale: 'en' }, 'a', '<', 'A'],
    [{ locale: 'en' }, 'a', '<', 'á'],
    [{ locale: 'en', strength: 1 }, 'a', '=', 'Á'],
    [{ locale: 'en', strength: 2 }, 'a', '=', 'A'],
    [{ locale: 'en', strength: 2.9 }, 'a', '=', 'A'],
    [{ locale: 'en', strength: 2 }, 'a', '<', 'á'],
    [{ locale: 'en', strength: 1, caseLevel: true }, 'a', '=', 'á'],
    [{ locale: 'en', strength: 1, caseLevel: true }, 'a', '<', 'A'],
    [{ locale: 'en', strength: 2, caseLevel: true }, 'á', '<', 'Á'],
    [{ locale: 'en', caseFirst: 'upper' }, 'A', '<', 'a'],
    [{ locale: 'da' }, 'A', '<', 'a'],
    [{ locale: 'en', numericOrdering: true }, 'a10', '>', 'a9'],
    [{ locale: 'en' }, 'a10', '<', 'a9'],
    [{ locale: 'en' }, 'a-b', '<', 'ab'],
    [{ locale: 'en', alternate: 'shifted' }, 'a-b', '=', 'a b'],
    [{ locale: 'en', alternate: 'shifted', maxVariable: 'space' }, 'a b', '=', 'ab'],
    [{ locale: 'en', alternate: 'shifted', maxVariable: 'space' }, 'a-b', '<', 'ab'],
    [{ locale: 'en', alternate: 'shifted', strength: 4 }, 'a-b', '<', 'ab'],
    [{ locale: 'en', strength: 4 }, 'a\u200bb', '=', 'ab'],
    [{ locale: 'en', strength: 5 }, 'a\u200bb', '>', 'ab'],
    [{ locale: 'th', strength: 1 }, 'a b', '=', 'ab'],
    [{ locale: 'en' }, 'coté', '<', 'côte'],
    [{ locale: 'en', backwards: true }, 'coté', '>', 'côte'],
    [{ locale: 'fr_CA' }, 'coté', '>', 'côte'],
    [{ locale: 'de', strength: 1 }, 'straße', '=', 'strasse'],
    [{ locale: 'de@collation=phonebook', strength: 1 }, 'ä', '=', 'ae'],
    [{ locale: 'tr', strength: 1 }, 'i', '=', 'İ'],
    [{ locale: 'en_US_POSIX', strength: 1 }, 'a', '>', 'A'],
    [{ locale: 'simple', strength: 1 }, 'a', '>', 'A'],
    [{ locale: 'en', strength: 1 }, { a: ['X'] }, '=', { a: ['x'] }],
    [{ locale: 'en', strength: 1 }, { a: 'X' }, '<', { b: 'x' }],
    [{ locale: 'en', strength: 1 }, 'zebra', '>', 1],
  ];
  for (const [collation, a, relation, b] of cases) {
    it(`${JSON.stringify(collation)}: ${JSON.stringify(a)} ${relation} ${JSON.stringify(b)}`, () => {
      const expected = relation === '=' ? 0 : relation === '<' ? -1 : 1;
      assert.equal(order(collation, a, b), expected);
      assert.equal(order(collation, b, a), -expected + 0);
    });
  }

  it('gives equal values equal keys and other values different keys', () => {
    const { keyText } = comparison({ locale: 'en', strength: 1 });
    const key = (value: unknown) => keyText(valueFrom(value));
    assert.equal(key('Apple'), key('ápple'));
    assert.equal(key({ a: ['B', 1] }), key({ a: ['b', 1] }));
    assert.notEqual(key('apple'), key('apples'));
    assert.notEqual(key('1'), key(1));
  });

  it('describes every option that was left out', () => {
    const spec = readCollation(raw({ locale: 'en', strength: 2 }));
    assert.deepEqual(spec && describeCollation(spec).toObject(), {
      locale: 'en',
      caseLevel: false,
      caseFirst: 'off',
      strength: 2,
      numericOrdering: false,
      alternate: 'non-ignorable',
      maxVariable: 'punct',
      normalization: false,
      backwards: false,
      version: '57.1',
    });
  });
});

describe('the document of a collation', () => {
  const refused: Array<[Document, number]> = [
    [{ strength: 1 }, 40414],
    [{ locale: 'en', other: 1 }, 40415],
    [{ locale: 1 }, 14],
    [{ locale: 'en', strength: '1' }, 14],
    [{ locale: 'en', caseLevel: 'yes' }, 14],
    [{ locale: '' }, 2],
    [{ locale: 'zzz' }, 2],
    [{ locale: 'en-US' }, 2],
    [{ locale: 'en_XX' }, 2],
    [{ locale: 'en@collation=abcdefghi' }, 2],
    [{ locale: 'en', strength: 0 }, 2],
    [{ locale: 'en', strength: 6 }, 2],
    [{ locale: 'en', strength: 0.9 }, 2],
    [{ locale: 'en', caseFirst: 'middle' }, 2],
    [{ locale: 'en', alternate: 'other' }, 2],
    [{ locale: 'en', backwards: true, strength: 1 }, 2],
    [{ locale: 'en', caseFirst: 'upper', strength: 1 }, 2],
    [{ locale: 'en', version: '1.0' }, 161],
  ];
  for (const [collation, code] of refused) {
    it(`is refused with ${code}: ${JSON.stringify(collation)}`, () => {
      assert.throws(() => readCollation(raw(collation)), { code });
    });
  }

  it('accepts null options, and ignores all options of the simple collation', () => {
    assert.equal(readCollation(raw({ locale: 'en', strength: null }))?.strength, 3);
    assert.equal(readCollation(raw({ locale: 'simple', strength: 1, backwards: true })), undefined);
  });
});

describe('folding', () => {
  const cases: Array<[Document, string, string, boolean]> = [
    [{ locale: 'en', strength: 1 }, 'Café', 'cafe', true],
    [{ locale: 'en', strength: 2 }, 'Café', 'CAFÉ', true],
    [{ locale: 'en', strength: 2 }, 'Café', 'cafe', false],
    [{ locale: 'en', strength: 3 }, 'a', 'A', false],
    [{ locale: 'de', strength: 1 }, 'Straße', 'STRASSE', true],
    [{ locale: 'sv', strength: 1 }, 'å', 'a', false],
    [{ locale: 'en', strength: 1, alternate: 'shifted' }, 'a-b c', 'abc', true],
    [{ locale: 'en', numericOrdering: true, strength: 1 }, 'a007', 'A7', true],
    [{ locale: 'en', numericOrdering: true }, 'a0', 'a', false],
    [{ locale: 'en', strength: 5 }, 'a\u200bb', 'ab', false],
  ];
  for (const [collation, a, b, same] of cases) {
    it(`makes '${a}' and '${b}' ${same ? 'the same' : 'different'} under ${JSON.stringify(collation)}`, () => {
      const spec = readCollation(raw(collation));
      assert.ok(spec);
      const fold = foldingBy(spec);
      assert.equal(fold(valueFrom(a)).identical(fold(valueFrom(b))), same);
    });
  }
});

describe('texts of a hundred thousand combining marks', () => {
  // Without a limit, sorting these marks would take quadratic time, and no interruption check would run
  // meanwhile.
  const marks = '\u0301\u0323'.repeat(50_000);
  const locales = [
    { locale: 'vi' },
    { locale: 'en', strength: 1 },
    { locale: 'fr', backwards: true },
    { locale: 'en', strength: 5 },
  ];
  for (const collation of locales) {
    it(`are compared and folded under ${JSON.stringify(collation)}`, () => {
      assert.equal(order(collation, `a${marks}`, `a${marks}`), 0);
      assert.equal(order(collation, `a${marks}b`, `a${marks}c`), -1);
      const fold = foldingOf(collation);
      assert.deepEqual(fold(valueFrom(`a${marks}`)), fold(valueFrom(`a${marks}`)));
    });
  }

  it('differ only in marks that differ', () => {
    assert.equal(order({ locale: 'en', strength: 1 }, `a${marks}`, 'A'), 0);
    assert.equal(order({ locale: 'en', strength: 2 }, `a${marks}`, 'a'), 1);
  });
});

describe('long texts', () => {
  const text = 'éa'.repeat(5_000);

  it('are folded and reversed in turns', () => {
    const fold = foldingOf({ locale: 'en', strength: 1 });
    assert.ok(pollsOf(() => fold(valueFrom(text))) > 30);
    assert.ok(pollsOf(() => order({ locale: 'fr', backwards: true }, text, `${text}\u0301`)) > 30);
  });

  it('are split and compared in parts, with the same result as in one go', () => {
    const fold = foldingOf({ locale: 'en', strength: 1, numericOrdering: true });
    const folded = (of: string) => textOf(fold(valueFrom(of)));
    const words = 'Ärger 007, \r\n';
    assert.equal(folded(words.repeat(2_000)), folded(words).repeat(2_000));
    assert.equal(folded(`${'x'.repeat(4095)}E\u0301`), folded(`${'X'.repeat(4095)}é`));
    assert.equal(folded(`e${'\u0301'.repeat(10_000)}`), 'e');
  });

  it('with the same beginning are compared without it, with the same result', () => {
    const beginning = 'eéE 10, '.repeat(20_000);
    const pairs = [
      ['a', 'b'],
      ['a', 'A'],
      ['coté', 'côte'],
      ['9 a', '10 a'],
      ['\u0301', 'a'],
      ['', 'a'],
      ['ch', 'd'],
    ] as const;
    for (const collation of [
      { locale: 'en' },
      { locale: 'cs', strength: 1 },
      { locale: 'fr_CA' },
      { locale: 'en', numericOrdering: true },
      { locale: 'en', alternate: 'shifted', strength: 4 },
    ]) {
      for (const [a, b] of pairs) {
        assert.equal(
          order(collation, `${beginning}${a}`, `${beginning}${b}`),
          order(collation, `e, ${a}`, `e, ${b}`),
          JSON.stringify([collation, a, b]),
        );
      }
    }
    const before = process.threadCpuUsage().user;
    const long = beginning.repeat(50);
    for (let i = 0; i < 20; i++) assert.equal(order({ locale: 'en' }, `${long}a`, `${long}b`), -1);
    assert.ok(process.threadCpuUsage().user - before < 3_000_000);
  });

  it('that differ in case or accents are compared part by part, with the same result as in one go', () => {
    const many = 80_000;
    const pairs = [
      ['a', 'A'],
      ['e\u0301', 'é'],
      ['é', 'e'],
      ['中', '中'],
      ['\u0301\u0323', '\u0323\u0301'],
      ['1', '1'],
      ['ß', 'ß'],
    ] as const;
    const ends = [
      ['', ''],
      ['b', 'c'],
      ['b', 'B'],
      ['', 'b'],
      ['-', ' '],
    ] as const;
    for (const collation of [
      { locale: 'en' },
      { locale: 'en', strength: 1 },
      { locale: 'en', strength: 2 },
      { locale: 'en', strength: 1, caseLevel: true },
      { locale: 'zh', caseFirst: 'upper' },
      { locale: 'en', numericOrdering: true },
      { locale: 'en', alternate: 'shifted' },
    ]) {
      for (const [x, y] of pairs) {
        for (const [p, q] of ends) {
          const long = (text: string) => `z${text.repeat(many)}`;
          const polls = pollsOf(() =>
            assert.equal(
              order(collation, `${long(x)}${p}`, `${long(y)}${q}`),
              order(collation, `z${x.repeat(9)}${p}`, `z${y.repeat(9)}${q}`),
              JSON.stringify([collation, x, y, p, q]),
            ),
          );
          assert.ok(x === y || polls > 10, `${polls}`);
        }
      }
    }
  });

  it('of combining marks are compared in parts', () => {
    const marks = (text: string) => `a${text.repeat(200_000)}`;
    const [a, b] = [marks('\u0301\u0323'), marks('\u0323\u0301')];
    assert.equal(order({ locale: 'en', strength: 2 }, a, b), 0);
    let longest = 0;
    const same = (x: string, y: string) => {
      longest = Math.max(longest, x.length, y.length);
      return 0;
    };
    assert.equal(comparedInParts([same], a, b), 0);
    assert.ok(longest < 300_000, `${longest}`);
  });

  it('are decomposed in turns, with the same result as in one go', () => {
    const marks = '\u0301\u0323';
    const kinds = ['é', 'ä\u0323x', '\u{1d15f}', 'ｶﾞ', '각', `a${marks.repeat(5)}`, '\u{1e8d0}\u{1e8d1}b'];
    for (const form of ['NFD', 'NFKD'] as const)
      for (const kind of kinds) {
        const long = `x${kind.repeat(40_000)}`;
        assert.equal(normalized(long, form), long.normalize(form), JSON.stringify([form, kind]));
        assert.ok(pollsOf(() => normalized(long, form)) > 0);
      }
  });

  it('are split into pieces of bounded length', () => {
    for (const long of ['x', 'é', 'e\u0301'].map((letter) => letter.repeat(50_000))) {
      const pieces = [...graphemesOf(long)];
      assert.equal(pieces.flat().join(''), long);
      assert.ok(Math.max(...pieces.map(({ length }) => length)) <= 4096);
    }
  });
});
