import { batched, type Token, type Tokenizer } from '../token.ts';

/** Splits text into words by ICU's dictionaries, for scripts without spaces between words. */
export function segmentTokenizer(locale: string): Tokenizer {
  let segmenter: Intl.Segmenter | undefined;
  function* tokens(text: string): Generator<Token> {
    segmenter ??= new Intl.Segmenter(locale, { granularity: 'word' });
    let position = 0;
    for (const { segment, index, isWordLike } of segmenter.segment(text)) {
      if (isWordLike !== true) continue;
      yield { term: segment, start: index, end: index + segment.length, position: position++ };
    }
  }
  return (text) => batched(tokens(text));
}
