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

/** Maximum number of search indexes of a cluster. */
export const MAX_INDEXES = 1_000;

/** Maximum size of a definition in bytes, together with the analyzers of the cluster to which it may refer. */
export const MAX_DEFINITION_BYTES = 256 * 1024;

/**
 * Maximum size of all definitions of a cluster in bytes, together with the copies of the cluster's analyzers. The
 * service reads them on its only thread.
 */
export const MAX_DEFINITIONS_BYTES = 4 * 1024 * 1024;

/** Prefixes that names of custom analyzers must not have. */
export const RESERVED_PREFIXES = ['lib.', 'lucene.', 'builtin.', 'db.'] as const;
