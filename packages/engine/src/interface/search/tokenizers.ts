import { byType, nothing, span } from './kinds.ts';
import type { Reader } from './reading.ts';

interface Grams {
  readonly minGram: number;
  readonly maxGram: number;
}

interface Bounded {
  readonly maxTokenLength: number;
}

export type TokenizerSpec =
  | ({ readonly type: 'edgeGram' } & Grams)
  | { readonly type: 'keyword' }
  | ({ readonly type: 'nGram' } & Grams)
  | { readonly type: 'regexCaptureGroup'; readonly pattern: string; readonly group: number }
  | { readonly type: 'regexSplit'; readonly pattern: string }
  | ({ readonly type: 'standard' } & Bounded)
  | ({ readonly type: 'uaxUrlEmail' } & Bounded)
  | ({ readonly type: 'whitespace' } & Bounded);

export const tokenizer = byType<TokenizerSpec>({
  edgeGram: grams,
  keyword: nothing,
  nGram: grams,
  regexCaptureGroup: (reader) => ({
    pattern: reader.text('pattern'),
    group: reader.whole('group', { min: 0 }),
  }),
  regexSplit: (reader) => ({ pattern: reader.text('pattern') }),
  standard: bounded,
  uaxUrlEmail: bounded,
  whitespace: bounded,
});

function grams(reader: Reader): Grams {
  const [minGram, maxGram] = span(reader, 'minGram', 'maxGram', 1);
  return { minGram, maxGram };
}

function bounded(reader: Reader): Bounded {
  return { maxTokenLength: reader.optionalWhole('maxTokenLength', { min: 1, max: 1_048_576 }) ?? 255 };
}
