/** Types for the used functions of `snappyjs`, which has none of its own. */
declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array;
}
