import { stemming } from '../filters/snowball.ts';
import type { TokenFilter } from '../token.ts';

/** Removes the longest ending that leaves at least `least` characters. Repeats this up to `times` times. */
function withoutEnding(least: number, endings: string, times = 1): TokenFilter {
  const all = endings
    .trim()
    .split(/\s+/)
    .toSorted((a, b) => b.length - a.length);
  return stemming((word) => {
    let stem = word;
    for (let time = 0; time < times; time++) {
      const ending = all.find((one) => stem.endsWith(one) && stem.length - one.length >= least);
      if (ending !== undefined) stem = stem.slice(0, -ending.length);
    }
    return stem;
  });
}

/** Endings of Bengali nouns and verbs, as in Lucene. */
export const bengaliStemming = withoutEnding(
  2,
  `িয়াছিলেন িতেছিলেন িতেছিলাম িয়াছিলাম েছিলেন িতেছেন ছিলেন গুলোকে গুলিকে দেরকে গুলো গুলি দের েরা টির টার তেই
   ছেন ছিল বেন তেন লেন লাম তাম গণ রা টি টা কে তে ের র ে ি া ী ো`,
  2,
);

/** Estonian case endings, in the singular and the plural. */
export const estonianStemming = withoutEnding(
  3,
  'desse dest dele delt deks dega deni dena deta des del de sse st le lt ks ga ni na ta s l d t i e u a',
);

/** Endings of Latvian declensions. */
export const latvianStemming = withoutEnding(
  3,
  'ajiem ajai ajam ajām ajos ajās iem ajā ais ai ei ām am ēm īm im um us as es os ij īs ie ā a ē e ī i u o s š',
);

/** Polish endings of cases and numbers, and of the most common verb forms. */
export const polishStemming = withoutEnding(
  3,
  `owie ach ami ego emu iego iemu ych ich ymi imi om ów em ej ą ę y i e a o u cie sz łem łam ły li ła ło ł ć`,
);

/** Endings of Sorani articles, plurals, possessives and cases, as in Lucene. */
export const soraniStemming = withoutEnding(
  3,
  `یەکانی ەکانی ەکان یەکە ەکە انی ان ێک یان مان تان ەوە دا ی ە ا`,
);
