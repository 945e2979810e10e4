import type { AutocompleteMapping } from '../../interface/search/index.ts';
import { asciiFolding } from './filters/folding.ts';
import { lowercase } from './filters/lowercase.ts';
import { type Analyzer, batched, type Token } from './token.ts';

type Grams = Omit<AutocompleteMapping, 'analyzer' | 'similarity' | 'type'>;

/** Maximum number of characters in a batch of words. */
const MOST = 2 ** 16;

const folding = asciiFolding(false);

/**
 * Wraps an analyzer of whole words so that its tokens are normalized like the tokens of an autocomplete
 * field.
 */
export function completedWords(words: Analyzer, { foldDiacritics }: Pick<Grams, 'foldDiacritics'>): Analyzer {
  return (text) => {
    const lower = lowercase(words(text), MOST);
    return foldDiacritics ? folding(lower, MOST) : lower;
  };
}

/** Maximum number of consecutive words that a gram extends over. */
const MAX_WORDS = 3;

/**
 * Analyzes the strings of an autocomplete field. `words` splits a string into words. The tokens are the grams
 * (sequences of characters) of every word, and of every two or three consecutive words joined by spaces. As in Lucene,
 * a gram that is part of several such groups is a token of each of them. This raises the frequency of the gram.
 */
export function autocompleteAnalyzer(words: Analyzer, grams: Grams): Analyzer {
  const whole = completedWords(words, grams);
  const isFromEnd = grams.tokenization === 'rightEdgeGram';
  return function* (text) {
    let group: Token[] = [];
    for (const tokens of whole(text)) yield* batched(gramsOfAll(tokens), MOST);
    yield* batched(gramsOfRest(), MOST);

    function* gramsOfAll(tokens: readonly Token[]): Generator<Token> {
      for (const token of tokens) {
        group.push(token);
        if (isFromEnd) yield* gramsOf(group.toReversed(), grams);
        else if (group.length === MAX_WORDS) yield* gramsOf(group, grams);
        if (group.length === MAX_WORDS) group = group.slice(1);
      }
    }

    function* gramsOfRest(): Generator<Token> {
      if (isFromEnd) return;
      for (; group.length > 0; group = group.slice(1)) yield* gramsOf(group, grams);
    }
  };
}

/** Yields the grams of the first word, of the first two words and so on, at the position of the first word. */
function* gramsOf(words: readonly Token[], grams: Grams): Generator<Token> {
  const { start, end, position } = words[0] as Token;
  for (let count = 1; count <= words.length; count++) {
    for (const term of gramsIn(words.slice(0, count), grams)) yield { start, end, position, term };
  }
}

function* gramsIn(
  words: readonly Token[],
  { minGrams: min, maxGrams: max, tokenization }: Grams,
): Generator<string> {
  const terms = words.map(({ term }) => term);
  if (tokenization === 'rightEdgeGram') {
    const letters = joined(terms.toReversed().map((term) => term.slice(-2 * max)));
    const most = Math.min(max, letters.length);
    for (let length = min; length <= most; length++) yield letters.slice(-length).join('');
    if (letters.length < min || letters.length > max) yield letters.slice(-max).join('');
    return;
  }
  const isEdge = tokenization === 'edgeGram';
  const letters = joined(isEdge ? terms.map((term) => term.slice(0, 2 * max + 2)) : terms);
  const starts = isEdge ? Math.min(1, letters.length) : letters.length;
  for (let at = 0; at < starts; at++) {
    const most = Math.min(max, letters.length - at);
    for (let length = min; length <= most; length++) yield letters.slice(at, at + length).join('');
  }
  if (letters.length < min || letters.length > max) yield letters.slice(0, max).join('');
}

const joined = (words: readonly string[]): readonly string[] => [...words.join(' ')];
