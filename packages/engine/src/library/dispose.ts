/// <reference lib="esnext.disposable" preserve="true" />
/** The symbol for `await using`. If Node.js does not have it yet, compilers use this one. */
export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
