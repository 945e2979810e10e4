/**
 * The arguments that determine the shape of a query. The shape contains the types of the values of some arguments, and
 * the values of others.
 */
export interface QueryShape {
  readonly shaped: readonly string[];
  readonly literal: readonly string[];
}
