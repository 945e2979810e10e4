/** The parts of a request that authentication uses. */
export interface RequestFacts {
  readonly method: string;
  /** The request target in origin form: path and query, as in the request line. */
  readonly target: string;
  /** The request target, if the request line has it in absolute form. */
  readonly absoluteTarget?: string | undefined;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The caller's address, from `callerAddress`. */
  readonly address: string;
}
