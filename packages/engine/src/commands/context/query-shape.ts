/**
 * The arguments that determine the shape of a query. For the arguments in `shaped`, the shape contains only the types
 * of values. For those in `literal`, it contains the values themselves.
 */
export interface QueryShape {
  readonly shaped: readonly string[];
  readonly literal: readonly string[];
}
