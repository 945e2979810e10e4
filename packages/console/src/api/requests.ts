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

/** Returns a function that makes requests to the operations of a surface. */
function requestsTo<S extends Surface>(surface: S) {
  return <M extends Method, const Path extends string>(
    method: M,
    path: Path & Served<S, M, Path>,
    ...body: BodyArgument<S, M, Path>
  ): ChangeRequest<Reply<S, M, Path>> => ({ method, surface, path, body: (body as readonly unknown[])[0] });
}

/** Returns a request to an operation of the API. */
export const apiRequest = requestsTo('api');

/** Returns a request to an operation for logins and sessions. */
export const consoleRequest = requestsTo('console');

/** Returns a request to an operation that is reserved for the operator. */
export const operatorRequest = requestsTo('operator');
