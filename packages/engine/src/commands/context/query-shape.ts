/** Of a query's arguments: those of whose values only the types are part of its shape, and those that count as they are. */
export interface QueryShape {
  readonly shaped: readonly string[];
  readonly literal: readonly string[];
}
