/** The arguments that determine a query's shape: some by the types of their values, others by the values themselves. */
export interface QueryShape {
  readonly shaped: readonly string[];
  readonly literal: readonly string[];
}
