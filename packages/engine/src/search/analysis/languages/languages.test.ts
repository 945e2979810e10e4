import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInAnalyzers } from '../../../interface/search/index.ts';
import { allTokens, analyzerNamed } from '../index.ts';

function terms(language: string, text: string): string {
  const analyzer = analyzerNamed(`lib.${language}`) ?? assert.fail(language);
  return allTokens(analyzer, text)
    .map(({ term }) => term)
    .join(' ');
}

/** Sample words and stems from the pages of the Snowball stemmers (snowballstem.org/algorithms). */
const snowball: Record<string, [string, string]> = {
  danish: ['indtagelse underste', 'indtag underst'],
  dutch: ['lichamelijkheden opglimpende lichte', 'licham opglimp licht'],
  finnish: ['edeltäjiensä', 'edeltäjie'],
  hungarian: ['babakocsijáért', 'babakocs'],
  norwegian: ['havneinspektørene opningene', 'havneinspektør opning'],
  portuguese: ['quilométricas boataria quilômetros', 'quilométr boat quilômetr'],
  russian: ['важнейшими падение', 'важн паден'],
  swedish: ['jaktkarlarne klostergården', 'jaktkarl klostergård'],
};

/** Words and their stems, one after the other. The French ones are from Lucene's tests. */
const light: Record<string, string> = {
  french: `chevaux cheval hiboux hibou chantés chant chanter chant baronnes baron peaux peau anneaux aneau affreux afreu
    investissement investi investir investi assourdissant asourdi pratiquement pratiqu administrativement administratif
    justificatrice justifi justificateur justifi educatrice eduqu communicateur comuniqu accompagnatrice acompagn
    administrateur administr productrice product producteur product acheteuse achet acheteur achet poreuse poreu
    bijoutière bijouti abrasive abrasif folle fou personnelle person complète complet aromatique aromat faiblesse faibl
    patinage patin sonorisation sono ritualisation rituel nomination nomin disposition dispos révolution revolution`,
  german: 'häuser haus kinder kind schönste schon aufeinanderfolgenden aufeinanderfolgend',
  italian: 'ragazzi ragazz ragazzo ragazz amiche amic amica amica',
  spanish: 'casas cas peces pez niños niñ franceses frances chicharrones chicharron azul azul',
};

test('the light stemmers of Romance languages and German remove endings and accents', () => {
  for (const [language, words] of Object.entries(light)) {
    const pairs = words.split(/\s+/);
    const given = pairs.filter((_, at) => at % 2 === 0).join(' ');
    const expected = pairs.filter((_, at) => at % 2 === 1).join(' ');
    assert.equal(terms(language, given), expected, language);
  }
});

test('stems equal those that Snowball publishes', () => {
  for (const [language, [text, expected]] of Object.entries(snowball)) {
    assert.equal(terms(language, text), expected, language);
  }
});

/**
 * Samples from the tests of Lucene's analyzers (`Test…Analyzer` in `analysis/common`), for languages with the same
 * stemmers.
 */
const lucene: Record<string, [string, string]> = {
  arabic: ['الكتاب', 'كتاب'],
  armenian: ['արծիվներ', 'արծ'],
  basque: ['zaldiak', 'zaldi'],
  bulgarian: ['строеве градове', 'строй град'],
  catalan: ["llengües llengua d'aigua", 'llengu llengu aigu'],
  chinese: ['多くの学生', '多く くの の学 学生'],
  cjk: ['一二三 test 一', '一二 二三 test 一'],
  irish: ['siopadóireacht', 'siopadóir'],
  hindi: ['किताबें', 'किताब'],
  indonesian: ['dibukukannya', 'buku'],
  lithuanian: ['vaikams', 'vaik'],
  persian: ['خورده', 'خورده'],
  romanian: ['absențe', 'absenț'],
  smartcn: ['我购买了道具和服装。', '我 购买 了 道具 和 服装'],
  thai: ['การที่ได้ต้องแสดงว่างานดี', 'แสดง งาน ดี'],
  turkish: ["Türkiye'den IRMAK", 'türki ırmak'],
};

test('the analyzers of other languages find what Lucene finds', () => {
  for (const [language, [text, expected]] of Object.entries(lucene)) {
    assert.equal(terms(language, text), expected, language);
  }
});

test('languages without a library stemmer are stemmed by their endings, or split into words', () => {
  assert.equal(terms('bengali', 'বাড়ীর বাড়ী'), 'বাড় বাড়');
  assert.equal(terms('latvian', 'tirgiem'), 'tirg');
  assert.equal(terms('morfologik', 'książkami domów'), 'książk dom');
  assert.equal(terms('sorani', 'پیاوەکان پیاوێک'), 'پیاو پیاو');
  assert.equal(terms('ukrainian', 'книгами столами'), 'книг стол');
  assert.equal(terms('greek', 'Ανταλλακτικά'), 'ανταλλακτ');
  assert.equal(terms('kuromoji', '多くの学生が試験に落ちた。'), '多く 学生 試験 落ち');
  assert.equal(terms('nori', '한국은 대단한'), '한국은 대단한');
});

test('stop words and articles before an apostrophe are removed', () => {
  assert.equal(terms('french', "L'avion de la compagnie, qu'il"), 'avion compagni');
  assert.equal(terms('italian', "dell'Italia è"), 'ital');
  assert.equal(terms('german', 'Das Häuschen und die Straße'), 'hausch strass');
  assert.equal(terms('brazilian', 'os quilômetros'), 'quilômetr');
  assert.equal(terms('galician', 'o correspondente'), 'correspondent');
  assert.equal(terms('czech', 'Pokud mluvime o volnem'), 'mluvim volne');
});

test('every analyzer that a definition may name exists and keeps offsets in the text', () => {
  for (const name of builtInAnalyzers) {
    const tokens = allTokens(analyzerNamed(`lucene.${name}`) ?? assert.fail(name), '— Zebra 7');
    assert.equal(
      tokens.some(({ start }) => start === (name === 'keyword' ? 0 : 2)),
      true,
      name,
    );
  }
});
