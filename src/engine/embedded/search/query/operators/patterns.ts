import { searchError } from '../errors.ts';
import { Hits } from '../hits.ts';
import type { CompileOperator, Operator, OperatorTable } from '../operator.ts';
import { checkUnanalyzed, escapePattern, pathsOf, type TextField, textFields } from '../paths.ts';
import type { Searching } from '../searching.ts';
import { anyOf } from '../terms.ts';

/** A pattern of whole terms, and what all of them begin with. */
export interface TermPattern {
  readonly pattern: { test(term: string): boolean };
  readonly prefix: string;
}

export const patternOperators: OperatorTable = {
  wildcard: patternOperator('wildcard', wildcardPattern),
  regex: patternOperator('regex', regexPattern),
};

function patternOperator(name: string, compile: (query: string) => TermPattern): CompileOperator {
  return (spec, { search }) => {
    const queries = spec.strings('query');
    for (const query of queries)
      if (query === '') throw searchError(`"${spec.name('query')}" cannot be empty`);
    const paths = pathsOf(spec);
    const allowed = spec.bool('allowAnalyzedField') ?? false;
    spec.finish();
    const patterns = queries.map(compile);
    const fields = textFields(paths, search);
    checkUnanalyzed(fields, allowed, name, search);
    return anyOf(fields.flatMap((field) => patterns.map((pattern) => termsLike(field, pattern, search))));
  };
}

/** Finds documents with a term like that. */
export function termsLike(
  { key }: Pick<TextField, 'key'>,
  { pattern, prefix }: TermPattern,
  search: Searching,
): Operator {
  const high = prefix === '' ? undefined : `${prefix}\u{10ffff}`;
  return {
    looksFor: [{ field: key, matches: (term) => pattern.test(term) }],
    hits(segment) {
      const hits = new Hits(segment.size);
      for (const term of segment.terms(key, prefix, high)) {
        search.check();
        if (!pattern.test(term)) continue;
        for (const doc of segment.postings(key, term)?.docs ?? []) hits.set(doc, 1);
      }
      return hits;
    },
  };
}

/** `*` stands for anything, `?` for one letter; what follows a backslash for itself. */
export function wildcardPattern(query: string): TermPattern {
  let [pattern, prefix, literal] = ['', '', true];
  const letters = [...query];
  for (let at = 0; at < letters.length; at++) {
    let letter = letters[at] as string;
    if (letter === '*' || letter === '?') {
      pattern += letter === '*' ? '.*' : '.';
      literal = false;
      continue;
    }
    if (letter === '\\' && at + 1 < letters.length) letter = letters[++at] as string;
    pattern += escapePattern(letter);
    if (literal) prefix += letter;
  }
  return { pattern: new RegExp(`^(?:${pattern})$`, 'su'), prefix };
}

/** The syntax of Lucene, of which all common operators are those of JavaScript. */
function regexPattern(query: string): TermPattern {
  const prefix = /^[\p{L}\p{N}_]*/u.exec(query)?.[0] ?? '';
  // The last letter may be repeated, or none of it.
  const certain = query.includes('|') ? '' : [...prefix].slice(0, -1).join('');
  try {
    return { pattern: new RegExp(`^(?:${query})$`, 's'), prefix: certain };
  } catch {
    throw searchError(`"regex.query" is not a valid regular expression: ${query.slice(0, 100)}`);
  }
}
