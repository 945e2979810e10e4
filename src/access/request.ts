/** What authentication needs to know of a request. */
export interface RequestFacts {
  readonly method: string;
  /** The request target exactly as it stood in the request line, with its query. */
  readonly target: string;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The caller's address as `callerAddress` tells it. */
  readonly address: string;
}
