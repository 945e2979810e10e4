import type { Readable } from 'node:stream';

/**
 * This file contains the types with which calls to an engine are declared. From the declarations, it derives the types
 * of the functions of clients and handlers. `calls.ts` is the table of calls.
 */

export type Bytes = AsyncIterable<Uint8Array>;

export type Document = Readonly<Record<string, unknown>>;

type Signature = (...args: never[]) => unknown;

/**
 * The form in which the arguments and the result are transmitted:
 * - `value`: as JSON, up to some megabytes;
 * - `document`: like `value`, but with an additional BSON document in each direction, which only the client and the
 *   handler parse;
 * - `bson`: like `document`, but the client returns the document of the result as bytes, without parsing it. The caller
 *   may also pass the document of the arguments as bytes;
 * - `list`: the result is a list of any length. It is transmitted as a byte stream of lines, one for each item as JSON,
 *   which the client parses in parts;
 * - `download`: the result is a byte stream;
 * - `upload`: the last argument is a byte stream.
 */
export type CallForm = 'bson' | 'document' | 'download' | 'list' | 'upload' | 'value';

/**
 * `S` is the signature: the parameters and the result of the call, without the document or the bytes that the form
 * adds.
 */
export interface Call<
  P extends string = string,
  F extends CallForm = CallForm,
  S extends Signature = Signature,
> {
  /** The part of the engine that implements the call. */
  readonly part: P;
  readonly form: F;
  /** Maximum time in milliseconds without a reply or further bytes. After this time, the client gives up. */
  readonly timeoutMs: number;
  /** True if the call may be sent again after the engine ended without replying. */
  readonly repeatable: boolean;
  /** Never set. The property exists only to include `S` in the type. */
  readonly signature?: S;
}

export type CallTable = Readonly<Record<string, Call>>;

export interface CallOptions {
  readonly timeoutMs: number;
  readonly repeatable?: boolean;
}

/**
 * Declares a call. The type parameter `S` must be given explicitly. The nested function infers the other type
 * parameters.
 */
export function call<S extends Signature>() {
  return <const P extends string, const F extends CallForm>(
    part: P,
    form: F,
    { timeoutMs, repeatable = true }: CallOptions,
  ): Call<P, F, S> => ({ part, form, timeoutMs, repeatable });
}

/** The functions of a client. An upload has an optional signal that cancels it. */
export type CallClient<T extends CallTable> = { readonly [N in keyof T]: ClientFunction<T[N]> };

type ClientFunction<C> =
  C extends Call<string, infer F, infer S>
    ? {
        value: (...args: Parameters<S>) => Promise<ReturnType<S>>;
        list: (...args: Parameters<S>) => Promise<ReturnType<S>>;
        bson: (...args: [...Parameters<S>, command: Document | Uint8Array]) => Promise<Uint8Array>;
        document: (...args: [...Parameters<S>, command: Document]) => Promise<Record<string, unknown>>;
        download: (...args: Parameters<S>) => Readable;
        upload: (...args: [...Parameters<S>, bytes: Bytes, signal?: AbortSignal]) => Promise<ReturnType<S>>;
      }[F]
    : never;

/** The functions of handlers. `signal` is aborted when the client stops the transfer. */
export type CallHandlers<T extends CallTable> = { readonly [N in keyof T]: Handler<T[N]> };

type Handler<C> =
  C extends Call<string, infer F, infer S>
    ? {
        value: (...args: Parameters<S>) => Result<ReturnType<S>>;
        bson: (...args: [...Parameters<S>, command: Uint8Array]) => Promise<Uint8Array>;
        document: (...args: [...Parameters<S>, command: Uint8Array]) => Promise<Uint8Array>;
        download: (...args: [...Parameters<S>, signal: AbortSignal]) => Bytes;
        list: (...args: [...Parameters<S>, signal: AbortSignal]) => Bytes;
        upload: (...args: [...Parameters<S>, bytes: Bytes, signal: AbortSignal]) => Result<ReturnType<S>>;
      }[F]
    : never;

type Result<R> = Promise<R> | R;

/** The calls of a table that belong to one part of the engine. */
export type CallsOf<T extends CallTable, P extends string> = {
  readonly [N in keyof T as T[N] extends Call<P> ? N : never]: T[N];
};
