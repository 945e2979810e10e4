/** Limits on requests and connections. */
export interface Limits {
  /** Maximum size of the request line and the headers in bytes. */
  readonly headerBytes: number;
  /** Time limit in milliseconds from the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  readonly bodyMs: number;
  /**
   * Timeout in milliseconds of a connection that transfers no data, although the service waits for its request or has
   * begun the response.
   */
  readonly stillMs: number;
  readonly bodyBytes: number;
  /** Maximum depth of arrays and objects in a body. */
  readonly bodyDepth: number;
  /**
   * Maximum number of fields of objects and items of arrays in a body, at all levels. An empty object or array counts
   * as two values.
   */
  readonly bodyValues: number;
  /** Maximum number of characters of a string in a body. */
  readonly bodyText: number;
  /**
   * Maximum size of the body of a request to an endpoint that is not an operation. The limit is low because
   * these requests are not authenticated.
   */
  readonly formBytes: number;
  /**
   * Maximum number of connections of all addresses together. One network (`networkOf`) can have at most half
   * of them.
   */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly connectionsFromLoopback: number;
}

export const defaultLimits: Limits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  bodyMs: 30_000,
  stillMs: 120_000,
  bodyBytes: 5 * 1024 * 1024,
  bodyDepth: 64,
  bodyValues: 10_000,
  bodyText: 128 * 1024,
  formBytes: 16 * 1024,
  connections: Number.POSITIVE_INFINITY,
  connectionsPerAddress: 256,
  connectionsFromLoopback: 1024,
};
