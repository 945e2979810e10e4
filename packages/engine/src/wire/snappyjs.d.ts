/** Types for the functions of `snappyjs` that are used here. The package itself contains no types. */
declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array;
}
