import { step } from '../turns.ts';

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Splits ASCII texts by character, because segmenting takes a microsecond per grapheme. */
export function graphemesOf(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins there
  if (/^[\x00-\x7f]*$/.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => {
    step();
    return segment;
  });
}
