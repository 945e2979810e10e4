/** Bounds of what a client may send (DESIGN "Limits"). */
export interface Limits {
  /** Request line and headers, in bytes. */
  readonly headerBytes: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  readonly bodyMs: number;
  /** How long a request that was read may stand with no byte going either way: nobody reads its answer. */
  readonly stillMs: number;
  readonly bodyBytes: number;
  /** Levels of arrays and objects in a body. */
  readonly bodyDepth: number;
  /** Fields of objects and items of lists in a body, at all levels together; an empty object or list counts as two. */
  readonly bodyValues: number;
  /** Characters of one text in a body. */
  readonly bodyText: number;
  /** Of a request for a token, which nobody has been asked for credentials for. */
  readonly formBytes: number;
  /** Of all addresses together; no address holds more than half of them. */
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
