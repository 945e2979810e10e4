import type { Readable } from 'node:stream';

/**
 * What a call to an engine is, and which functions follow from its declaration: one for those who ask, one for the
 * part of the engine that does it. `calls.ts` is the table.
 */

export type Bytes = AsyncIterable<Uint8Array>;

export type Document = Readonly<Record<string, unknown>>;

type Signature = (...args: never[]) => unknown;

/**
 * How arguments and result travel. `value`: as JSON, at most some megabytes. `document`: so, and besides a BSON
 * document each way, which only its two ends read. `download`: the result is bytes of any length. `upload`: so is
 * the last argument.
 */
export type CallForm = 'document' | 'download' | 'upload' | 'value';

/** `S`: what the call takes and answers; the document and the bytes of its form are not part of it. */
export interface Call<
  P extends string = string,
  F extends CallForm = CallForm,
  S extends Signature = Signature,
> {
  /** The part of the engine that does it. */
  readonly part: P;
  readonly form: F;
  /** Milliseconds without an answer, or without the next bytes, after which whoever asks gives up. */
  readonly timeoutMs: number;
  /** Whether it may be sent again when the engine has ended before it answered. */
  readonly repeatable: boolean;
  /** For types alone: it is never there. */
  readonly signature?: S;
}

export type CallTable = Readonly<Record<string, Call>>;

export interface CallOptions {
  readonly timeoutMs: number;
  readonly repeatable?: boolean;
}

/** Declares a call. The type parameter is its signature; a function of its own takes it, so that the others are inferred. */
export function call<S extends Signature>() {
  return <const P extends string, const F extends CallForm>(
    part: P,
    form: F,
    { timeoutMs, repeatable = true }: CallOptions,
  ): Call<P, F, S> => ({ part, form, timeoutMs, repeatable });
}

/** The functions of those who ask. */
export type CallClient<T extends CallTable> = { readonly [N in keyof T]: ClientFunction<T[N]> };

type ClientFunction<C> =
  C extends Call<string, infer F, infer S>
    ? {
        value: (...args: Parameters<S>) => Promise<ReturnType<S>>;
        document: (...args: [...Parameters<S>, command: Document]) => Promise<Record<string, unknown>>;
        download: (...args: Parameters<S>) => Readable;
        upload: (...args: [...Parameters<S>, bytes: Bytes]) => Promise<ReturnType<S>>;
      }[F]
    : never;

/** The functions that do it. `signal` is aborted when nobody wants the bytes any more. */
export type CallHandlers<T extends CallTable> = { readonly [N in keyof T]: Handler<T[N]> };

type Handler<C> =
  C extends Call<string, infer F, infer S>
    ? {
        value: (...args: Parameters<S>) => Result<ReturnType<S>>;
        document: (...args: [...Parameters<S>, command: Uint8Array]) => Promise<Uint8Array>;
        download: (...args: [...Parameters<S>, signal: AbortSignal]) => Bytes;
        upload: (...args: [...Parameters<S>, bytes: Bytes, signal: AbortSignal]) => Result<ReturnType<S>>;
      }[F]
    : never;

type Result<R> = Promise<R> | R;

/** The calls of a table that one part does. */
export type CallsOf<T extends CallTable, P extends string> = {
  readonly [N in keyof T as T[N] extends Call<P> ? N : never]: T[N];
};
