/** The part of it that is used; it comes without types. */
declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array;
}
