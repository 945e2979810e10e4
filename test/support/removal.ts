/**
 * Options for the removal of a folder. A process that was killed just now may still write a file there, so the removal
 * is tried again. The pauses between the attempts grow by 100 ms.
 */
export const REMOVAL = { recursive: true, force: true, maxRetries: 15 } as const;
