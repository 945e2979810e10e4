/** An error in a search index definition. */
export class SearchDefinitionError extends Error {
  override readonly name = 'SearchDefinitionError';
  /**
   * The path of the first error, such as `analyzers[0].tokenizer.maxGram`. Empty if the error concerns the definition
   * as a whole.
   */
  readonly path: string;
  /** The reason, such as `is required`. The path and the reason together form a sentence. */
  readonly reason: string;
  /**
   * `semantics`: every field is valid, but some fields contradict each other. The server reports such an error in a
   * different form than a `syntax` error.
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

/** The causes that callers distinguish. All other errors have no `matter`. */
export type SearchDefinitionMatter =
  | 'analyzer name is not unique'
  | 'analyzer name is built in'
  | 'missing'
  | 'not one of';
