/** Why a definition of a search index cannot be used: where, and what is wrong there. */
export class SearchDefinitionError extends Error {
  override readonly name = 'SearchDefinitionError';
  /** Of the first thing that is wrong, from the definition on: `analyzers[0].tokenizer.maxGram`; empty for all of it. */
  readonly path: string;
  /** Goes on from the path: `is required`. */
  readonly reason: string;
  /** `semantics`: every field is what it may be, yet they do not fit together. Servers tell the two apart. */
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

/** What is wrong, where it is more than a value outside its rule. */
export type SearchDefinitionMatter =
  | 'analyzer name is not unique'
  | 'analyzer name is built in'
  | 'missing'
  | 'not one of';
