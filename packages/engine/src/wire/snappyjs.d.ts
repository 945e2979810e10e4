/** Types for the functions of `snappyjs` that are used; the package has none. */
declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array;
}
