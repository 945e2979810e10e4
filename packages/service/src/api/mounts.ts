import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { PlainObject } from '@portolan/foundation/plain-object';

/**
 * A request to an endpoint that is not an operation, such as the token endpoint or a document. Such requests are not
 * authenticated.
 */
export interface MountRequest {
  readonly method: string;
  readonly path: string;
  /** Values of the path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: PlainObject;
  readonly headers: IncomingHttpHeaders;
  /** The body as text; an empty text if there is no body. */
  readonly body: string;
  /** The caller's address. */
  readonly address: string;
}

export interface MountAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, which is sent unchanged. If it is empty, the response has no body. */
  readonly body: string | Buffer;
  /**
   * A stream that is sent instead of the body. A header must state its length. It is not sent in response to HEAD.
   */
  readonly stream?: Readable;
  /**
   * A JSON document that is sent instead of the body, in the format that the parameters `envelope` and `pretty`
   * request.
   */
  readonly document?: unknown;
}

/** An endpoint that is not an operation. An error that `handle` throws becomes an error response, as for operations. */
export interface Mount {
  /** The label of the mount in metrics and in the log. */
  readonly id: string;
  /** The method. A mount for GET also serves HEAD. */
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** A path template, such as `/api/service/openapi/{name}.json`. */
  readonly path: string;
  /**
   * Whether the mount serves a request with these headers; by default, it serves every request. Other requests get
   * the same response as an unknown path.
   */
  readonly serves?: (headers: IncomingHttpHeaders) => boolean;
  handle(request: MountRequest): Promise<MountAnswer>;
}
