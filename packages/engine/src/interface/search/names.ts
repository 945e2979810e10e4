const languages =
  `arabic armenian basque bengali brazilian bulgarian catalan chinese cjk czech danish dutch english
  finnish french galician german greek hindi hungarian indonesian irish italian japanese korean kuromoji latvian
  lithuanian morfologik nori norwegian persian portuguese romanian russian smartcn sorani spanish swedish thai turkish
  ukrainian`.split(/\s+/);

/** The built-in analyzers, without the prefix of their names. */
export const builtInAnalyzers: readonly string[] = [
  'standard',
  'simple',
  'whitespace',
  'keyword',
  ...languages,
];

/**
 * Returns the name of a built-in analyzer without its prefix. The API documentation uses `lib.` and drivers send
 * `lucene.`. Both prefixes mean the same analyzer.
 */
export function builtInName(name: string): string | undefined {
  const [, last] = /^(?:lib|lucene)\.(\w+)$/.exec(name) ?? [];
  return last !== undefined && builtInAnalyzers.includes(last) ? last : undefined;
}

/** Maximum length of an index name in characters. */
export const MAX_INDEX_NAME = 1_000;

/** Prefixes that names of custom analyzers must not have. */
export const RESERVED_PREFIXES = ['lib.', 'lucene.', 'builtin.', 'db.'] as const;
