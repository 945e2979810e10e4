import type { TObject, TSchema } from 'typebox';
import type { Mount } from './mounts.ts';

/** What the OpenAPI documents say about an endpoint that is not an operation. */
export interface Endpoint<B extends TObject = TObject, R extends TSchema = TSchema>
  extends Pick<Mount, 'id' | 'method' | 'path'> {
  readonly tag: string;
  readonly summary: string;
  /** Whether a request needs the cookie of a session of the console. */
  readonly access: 'no credentials' | 'session';
  readonly body?: B;
  readonly reply?: R;
  readonly status: 200 | 202 | 204;
}

/** Declares an endpoint, and infers the types of its body and reply. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration;
