import { type CharFilterSpec, charFilter } from './char-filters.ts';
import { SearchDefinitionError } from './error.ts';
import { builtInName, RESERVED_PREFIXES } from './names.ts';
import { checkPatterns } from './patterns.ts';
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

/** Parses custom analyzers and checks that their names are unique. */
export function customAnalyzers(values: readonly unknown[], path: string): readonly CustomAnalyzer[] {
  const names = new Set<string>();
  checkPatterns(values, path);
  return values.map((value, index) => {
    const at = path === '' ? `[${index}]` : `${path}[${index}]`;
    const analyzer = customAnalyzer(value, at);
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
    charFilters: reader.shortList('charFilters', MAX_FILTERS, charFilter),
    tokenizer: tokenizer(reader.requiredAny('tokenizer'), reader.at('tokenizer')),
    tokenFilters: reader.shortList('tokenFilters', MAX_FILTERS, tokenFilter),
  };
  reader.done();
  return analyzer;
}
