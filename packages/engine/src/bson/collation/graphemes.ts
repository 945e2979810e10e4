import { step } from '../turns.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Number of characters that are split at once, without an interruption check. A single grapheme may be longer. */
const PIECE = 4096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins there
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Splits a text into graphemes. Yields them in several arrays, because a text may have 16 million graphemes.
 */
export function* graphemesOf(text: string): Generator<string[]> {
  let size = PIECE;
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + size);
    const graphemes = split(piece);
    // The next piece may continue the last grapheme.
    const last = at + size < text.length ? graphemes.pop() : undefined;
    if (graphemes.length === 0) size *= 2;
    else {
      yield graphemes;
      at += piece.length - (last?.length ?? 0);
      size = PIECE;
    }
  }
}

/** Splits ASCII texts by character, because segmenting takes a microsecond per grapheme. */
function split(text: string): string[] {
  if (ASCII.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => {
    step();
    return segment;
  });
}
