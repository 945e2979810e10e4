const languages =
  `arabic armenian basque bengali brazilian bulgarian catalan chinese cjk czech danish dutch english
  finnish french galician german greek hindi hungarian indonesian irish italian japanese korean kuromoji latvian
  lithuanian morfologik nori norwegian persian portuguese romanian russian smartcn sorani spanish swedish thai turkish
  ukrainian`.split(/\s+/);

/** The analyzers that every index has, without the prefix of their names. */
export const builtInAnalyzers: readonly string[] = [
  'standard',
  'simple',
  'whitespace',
  'keyword',
  ...languages,
];

/** The contract writes `lib.`, drivers send `lucene.`; both mean the same analyzer wherever they stand. */
export function builtInName(name: string): string | undefined {
  const [, last] = /^(?:lib|lucene)\.(\w+)$/.exec(name) ?? [];
  return last !== undefined && builtInAnalyzers.includes(last) ? last : undefined;
}

/** Letters of the name of an index. */
export const LONGEST_INDEX_NAME = 1_000;

/** Names of one's own analyzers begin with none of these. */
export const RESERVED_PREFIXES = ['lib.', 'lucene.', 'builtin.', 'db.'] as const;
