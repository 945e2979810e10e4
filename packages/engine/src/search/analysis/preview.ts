import type { CustomAnalyzer } from '../../interface/search/index.ts';
import { analyzerNamed, customAnalyzer, type Token } from './index.ts';

/** The tokens that an analyzer makes of a text; its name is built-in or one of `own`. Undefined if there is none. */
export function tokensOf(
  name: string,
  own: readonly CustomAnalyzer[],
  text: string,
): readonly Token[] | undefined {
  const custom = own.find((one) => one.name === name);
  const analyzer = custom === undefined ? analyzerNamed(name) : customAnalyzer(custom);
  return analyzer?.(text);
}
