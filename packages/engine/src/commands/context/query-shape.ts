/** The arguments that are part of a query's shape: of some only the types, of others the values. */
export interface QueryShape {
  readonly shaped: readonly string[];
  readonly literal: readonly string[];
}
