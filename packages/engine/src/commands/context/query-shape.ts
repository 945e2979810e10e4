/** The arguments of which only the types are part of a query's shape, and those that are part of it literally. */
export interface QueryShape {
  readonly shaped: readonly string[];
  readonly literal: readonly string[];
}
