/**
 * The arguments that determine the shape of a query. Of some arguments, the shape contains the types of their
 * values; of others, the values.
 */
export interface QueryShape {
  readonly shaped: readonly string[];
  readonly literal: readonly string[];
}
