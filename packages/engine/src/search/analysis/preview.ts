import { setImmediate } from 'node:timers/promises';
import type { CustomAnalyzer } from '../../interface/search/index.ts';
import { analyzerNamed, customAnalyzer, MAX_TOKENS, type Token } from './index.ts';

/**
 * Returns the tokens that an analyzer creates from a text, or undefined if there is no such analyzer. `name`
 * is the name of a built-in analyzer or of an analyzer in `own`. Yields to other work of the process between
 * batches.
 */
export async function tokensOf(
  name: string,
  own: readonly CustomAnalyzer[],
  text: string,
): Promise<readonly Token[] | undefined> {
  const custom = own.find((one) => one.name === name);
  const analyzer = custom === undefined ? analyzerNamed(name) : customAnalyzer(custom);
  if (analyzer === undefined) return undefined;
  const all: Token[] = [];
  for (const tokens of analyzer(text)) {
    for (const token of tokens) if (all.length < MAX_TOKENS) all.push(token);
    if (all.length >= MAX_TOKENS) break;
    await setImmediate();
  }
  return all;
}
