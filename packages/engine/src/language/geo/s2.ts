import { createRequire } from 'node:module';

export type Library = typeof import('s2js')['s2'];
export type Loop = InstanceType<Library['Loop']>;

let library: Library | undefined;

/**
 * Loads the library for spherical geometry on first use: loading takes 20 ms and 8 MB, and most clusters never need it.
 */
export function s2(): Library {
  library ??= (createRequire(import.meta.url)('s2js') as { readonly s2: Library }).s2;
  return library;
}
