import type { BodyArgument, Method, Reply, Served, Surface } from './operations.ts';

/** A request that changes something. */
export interface ChangeRequest<Result = unknown> {
  readonly method: Method;
  readonly surface: Surface;
  readonly path: string;
  readonly body: unknown;
  /** This property is never set. It only carries the type of the response. */
  readonly result?: Result;
}

/** Returns a request to an operation of the API. */
export function apiRequest<M extends Method, const Path extends string>(
  method: M,
  path: Path & Served<'api', M, Path>,
  ...body: BodyArgument<'api', M, Path>
): ChangeRequest<Reply<'api', M, Path>> {
  return { method, surface: 'api', path, body: (body as readonly unknown[])[0] };
}

/** Returns a request to an operation that is reserved for the operator. */
export function operatorRequest<M extends Method, const Path extends string>(
  method: M,
  path: Path & Served<'operator', M, Path>,
  ...body: BodyArgument<'operator', M, Path>
): ChangeRequest<Reply<'operator', M, Path>> {
  return { method, surface: 'operator', path, body: (body as readonly unknown[])[0] };
}
