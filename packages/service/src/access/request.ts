/** What authentication needs to know of a request. */
export interface RequestFacts {
  readonly method: string;
  /** The request target in origin form: path and query, as they stood in the request line. */
  readonly target: string;
  /** The request target where the request line has it in absolute form. */
  readonly absoluteTarget?: string | undefined;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The caller's address as `callerAddress` tells it. */
  readonly address: string;
}
