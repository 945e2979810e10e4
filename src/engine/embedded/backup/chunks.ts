/**
 * A file is cut into pieces of this size, 128 pages: small enough that a changed page costs little, large enough that
 * a cluster of 100 GB has no more than 100,000 of them.
 */
export const CHUNK_BYTES = 1024 * 1024;
