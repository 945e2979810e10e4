/// <reference lib="esnext.disposable" preserve="true" />
/** For `await using`; where Node.js has no such symbol yet, compilers put this one in its place. */
export const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
