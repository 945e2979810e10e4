import type { Token, Tokenizer } from '../token.ts';

/** Words by ICU's dictionaries, for scripts without spaces between words. */
export function segmentTokenizer(locale: string): Tokenizer {
  let segmenter: Intl.Segmenter | undefined;
  return (text) => {
    segmenter ??= new Intl.Segmenter(locale, { granularity: 'word' });
    const tokens: Token[] = [];
    for (const { segment, index, isWordLike } of segmenter.segment(text)) {
      if (isWordLike !== true) continue;
      tokens.push({ term: segment, start: index, end: index + segment.length, position: tokens.length });
    }
    return tokens;
  };
}
