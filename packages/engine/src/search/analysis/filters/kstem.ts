import { stemming } from './snowball.ts';

/** Words that end like a plural or a form of a verb but have a meaning of their own. */
const wholeWords = new Set(
  `as was has gas bias canvas atlas christmas pyjamas always news series species lens perhaps besides towards sometimes nowadays
   being thing nothing something anything everything morning evening spring string king ring wing sing bring ceiling
   wedding pudding clothing nursing meeting building feeling painting drawing beginning ending opening meaning reading
   writing wiring training teaching warning hearing housing heading landing wording rating ruling saying setting sitting
   shooting spelling standing stocking swing timing turning understanding undertaking wanting blessing booking briefing
   broadcasting casting coating crossing darling dealing dressing dwelling earring engineering farming filling finding
   fishing flooring following fencing gathering greeting greetings helping holding hunting killing lighting listing
   living lightning learning marketing missing mining offering offspring outing packing parking planning pricing
   printing processing proceeding proceedings recording remaining savings sailing scoring screening seeming serving
   shipping shopping sibling sterling surroundings swimming testing touching trading upbringing willing
   bed red led fed need speed breed seed feed weed deed bleed greed hundred sacred naked wicked indeed proceed exceed
   succeed embed shed sled`.split(/\s+/),
);

/**
 * Removes inflections of English words and keeps other endings, like Krovetz's stemmer. That stemmer uses a dictionary
 * to restore a final `e`; here, rules do so.
 */
export const kStemming = stemming((word) => {
  if (!/^[a-z]{3,50}$/.test(word) || wholeWords.has(word)) return word;
  const singular = withoutPlural(word);
  return wholeWords.has(singular) ? singular : withoutTense(singular);
});

function withoutPlural(word: string): string {
  if (!/[^sui]s$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return /(?:ss|x|zz|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutTense(word: string): string {
  if (/[^aeiou]ied$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/[aeiou].*[^aeiou]eed$/.test(word)) return word.slice(0, -1);
  const [, root] = /^(.*[aeiouy].*)(?:ed|ing)$/.exec(word) ?? [];
  if (root === undefined || root.length < 2) return word;
  if (/([^aeiouylsfz])\1$/.test(root)) return root.slice(0, -1);
  return endsWithE(root) ? `${root}e` : root;
}

/** True if the word from which the root comes probably ends in `e`. */
function endsWithE(root: string): boolean {
  if (/(?:[aeiou][csvz]|[nr]c|[lr]v|[bcdfgkpstz]l|dg|u|i[zd]|[^aeiou]at|[ei]at|ut|ag|ur)$/.test(root))
    return true;
  // A short word such as `hop` doubles its consonant: `hopping`. So `hoping` comes from `hope`.
  return /^[^aeiou]*[aeiouy][^aeiouwxy]$/.test(root);
}
