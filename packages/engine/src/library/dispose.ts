/// <reference lib="esnext.disposable" preserve="true" />
/** For `await using`. Compilers use this symbol if Node.js does not have it yet. */
export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
