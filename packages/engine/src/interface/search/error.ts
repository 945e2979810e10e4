/** The location and the reason of an error in a search index definition. */
export class SearchDefinitionError extends Error {
  override readonly name = 'SearchDefinitionError';
  /** Path of the first error in the definition: `analyzers[0].tokenizer.maxGram`; empty for the definition itself. */
  readonly path: string;
  /** Continues the path: `is required`. */
  readonly reason: string;
  /** `semantics`: every field is valid, but they contradict each other. Servers report the two differently. */
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

/** The error, if it is more than an invalid value. */
export type SearchDefinitionMatter =
  | 'analyzer name is not unique'
  | 'analyzer name is built in'
  | 'missing'
  | 'not one of';
