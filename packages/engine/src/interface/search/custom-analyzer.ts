import { type CharFilterSpec, charFilter } from './char-filters.ts';
import { SearchDefinitionError } from './error.ts';
import { builtInName, RESERVED_PREFIXES } from './names.ts';
import { checkPattern, checkPatterns } from './patterns.ts';
import { Reader } from './reading.ts';
import { type TokenFilterSpec, tokenFilter } from './token-filters.ts';
import { type TokenizerSpec, tokenizer } from './tokenizers.ts';

/** Maximum number of char filters, and of token filters, of an analyzer. */
const MAX_FILTERS = 500;

export interface CustomAnalyzer {
  readonly name: string;
  readonly charFilters: readonly CharFilterSpec[];
  readonly tokenizer: TokenizerSpec;
  readonly tokenFilters: readonly TokenFilterSpec[];
}

/** Parses new custom analyzers. Checks that their names are unique, and the limits of analyzers. */
export function newAnalyzers(values: readonly unknown[], path: string): readonly CustomAnalyzer[] {
  checkPatterns(values, path);
  return readAnalyzers(values, path, checkLimits);
}

/**
 * Parses stored custom analyzers. Does not check limits, because earlier versions may have had others, and does not
 * compile patterns.
 */
export function storedAnalyzers(values: readonly unknown[], path: string): readonly CustomAnalyzer[] {
  return readAnalyzers(values, path, () => {});
}

function readAnalyzers(
  values: readonly unknown[],
  path: string,
  check: (analyzer: CustomAnalyzer, path: string) => void,
): readonly CustomAnalyzer[] {
  const names = new Set<string>();
  return values.map((value, index) => {
    const at = path === '' ? `[${index}]` : `${path}[${index}]`;
    const analyzer = customAnalyzer(value, at);
    check(analyzer, at);
    if (names.has(analyzer.name)) {
      const reason = `${analyzer.name} is the name of another analyzer`;
      throw new SearchDefinitionError(`${at}.name`, reason, 'semantics', 'analyzer name is not unique');
    }
    names.add(analyzer.name);
    return analyzer;
  });
}

function customAnalyzer(value: unknown, path: string): CustomAnalyzer {
  const reader = new Reader(value, path);
  const name = reader.text('name');
  if (builtInName(name) !== undefined) {
    const reason = 'is the name of an analyzer that every index has';
    throw new SearchDefinitionError(reader.at('name'), reason, 'syntax', 'analyzer name is built in');
  }
  const prefix = RESERVED_PREFIXES.find((one) => name.startsWith(one));
  if (prefix !== undefined) {
    const reason = `cannot begin with ${prefix}`;
    throw new SearchDefinitionError(reader.at('name'), reason);
  }
  const analyzer = {
    name,
    charFilters: reader.optionalList('charFilters', charFilter) ?? [],
    tokenizer: tokenizer(reader.requiredAny('tokenizer'), reader.at('tokenizer')),
    tokenFilters: reader.optionalList('tokenFilters', tokenFilter) ?? [],
  };
  reader.done();
  return analyzer;
}

function checkLimits({ charFilters, tokenizer, tokenFilters }: CustomAnalyzer, path: string): void {
  for (const [name, filters] of Object.entries({ charFilters, tokenFilters })) {
    if (filters.length > MAX_FILTERS)
      throw new SearchDefinitionError(`${path}.${name}`, `must have at most ${MAX_FILTERS} elements`);
  }
  if ('pattern' in tokenizer) checkPattern(tokenizer.pattern, `${path}.tokenizer.pattern`);
  for (const [index, filter] of tokenFilters.entries())
    if (filter.type === 'regex') checkPattern(filter.pattern, `${path}.tokenFilters[${index}].pattern`, true);
}
