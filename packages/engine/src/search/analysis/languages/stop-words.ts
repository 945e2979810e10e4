import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export type StopWordLanguage = keyof typeof lists;

/**
 * Lucene's lists of stop words, loaded on first use. Words are separated by spaces. (License: Apache-2.0; the lists of
 * Snowball, Jacques Savoy and others are BSD.)
 */
const lists = {
  arabic: () => require('./stop-words/arabic.json'),
  armenian: () => require('./stop-words/armenian.json'),
  basque: () => require('./stop-words/basque.json'),
  bengali: () => require('./stop-words/bengali.json'),
  brazilian: () => require('./stop-words/brazilian.json'),
  bulgarian: () => require('./stop-words/bulgarian.json'),
  catalan: () => require('./stop-words/catalan.json'),
  chinese: () => require('./stop-words/chinese.json'),
  cjk: () => require('./stop-words/cjk.json'),
  czech: () => require('./stop-words/czech.json'),
  danish: () => require('./stop-words/danish.json'),
  dutch: () => require('./stop-words/dutch.json'),
  finnish: () => require('./stop-words/finnish.json'),
  french: () => require('./stop-words/french.json'),
  galician: () => require('./stop-words/galician.json'),
  german: () => require('./stop-words/german.json'),
  greek: () => require('./stop-words/greek.json'),
  hindi: () => require('./stop-words/hindi.json'),
  hungarian: () => require('./stop-words/hungarian.json'),
  indonesian: () => require('./stop-words/indonesian.json'),
  irish: () => require('./stop-words/irish.json'),
  italian: () => require('./stop-words/italian.json'),
  japanese: () => require('./stop-words/japanese.json'),
  latvian: () => require('./stop-words/latvian.json'),
  lithuanian: () => require('./stop-words/lithuanian.json'),
  norwegian: () => require('./stop-words/norwegian.json'),
  persian: () => require('./stop-words/persian.json'),
  polish: () => require('./stop-words/polish.json'),
  portuguese: () => require('./stop-words/portuguese.json'),
  romanian: () => require('./stop-words/romanian.json'),
  russian: () => require('./stop-words/russian.json'),
  sorani: () => require('./stop-words/sorani.json'),
  spanish: () => require('./stop-words/spanish.json'),
  swedish: () => require('./stop-words/swedish.json'),
  thai: () => require('./stop-words/thai.json'),
  turkish: () => require('./stop-words/turkish.json'),
  ukrainian: () => require('./stop-words/ukrainian.json'),
} as const;

export function stopWordsOf(language: StopWordLanguage): ReadonlySet<string> {
  return new Set((lists[language]() as string).split(' '));
}
