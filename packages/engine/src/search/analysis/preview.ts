import type { CustomAnalyzer } from '../../interface/search/index.ts';
import { analyzerNamed, customAnalyzer, type Token } from './index.ts';

/** What an analyzer makes of a text, by its name or by that of one of `own`; undefined where there is none. */
export function tokensOf(
  name: string,
  own: readonly CustomAnalyzer[],
  text: string,
): readonly Token[] | undefined {
  const custom = own.find((one) => one.name === name);
  const analyzer = custom === undefined ? analyzerNamed(name) : customAnalyzer(custom);
  return analyzer?.(text);
}
