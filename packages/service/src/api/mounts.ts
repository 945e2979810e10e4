import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A request to something that is no operation: a token endpoint, a document. No credentials were asked for. */
export interface MountRequest {
  readonly method: string;
  /** What `{name}` stands for in the mount's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** The body as text; empty when there is none. */
  readonly body: string;
  /** From where the caller calls. */
  readonly address: string;
}

export interface MountAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is to be sent; empty: no body. */
  readonly body: string;
  /** In place of a body: bytes of any length, whose number a header tells. Not for HEAD. */
  readonly stream?: Readable;
  /** In place of a body: JSON whose form `envelope` and `pretty` decide. */
  readonly document?: unknown;
}

/** A path beside the operations. What `handle` throws is answered as the error of an operation would be. */
export interface Mount {
  /** Its label in metrics and log. */
  readonly id: string;
  /** Those for GET are asked with HEAD too. */
  readonly method: 'GET' | 'POST';
  /** With names in braces: `/api/service/openapi/{name}.json`. */
  readonly path: string;
  handle(request: MountRequest): Promise<MountAnswer>;
}
