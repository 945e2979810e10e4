/** An error in a search index definition. */
export class SearchDefinitionError extends Error {
  override readonly name = 'SearchDefinitionError';
  /** The path of the first error, such as `analyzers[0].tokenizer.maxGram`; empty for the definition itself. */
  readonly path: string;
  /** The reason, which completes the path to a sentence: `is required`. */
  readonly reason: string;
  /**
   * `semantics` means that every field is valid but fields contradict each other. Servers report the two kinds
   * differently.
   */
  readonly kind: 'semantics' | 'syntax';
  readonly matter: SearchDefinitionMatter | undefined;

  constructor(
    path: string,
    reason: string,
    kind: 'semantics' | 'syntax' = 'syntax',
    matter?: SearchDefinitionMatter,
  ) {
    super(`"${path}" ${reason}`);
    this.path = path;
    this.reason = reason;
    this.kind = kind;
    this.matter = matter;
  }
}

/** The specific error, if it is more than an invalid value. */
export type SearchDefinitionMatter =
  | 'analyzer name is not unique'
  | 'analyzer name is built in'
  | 'missing'
  | 'not one of';
