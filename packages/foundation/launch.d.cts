/** The options that every process of the project gets. */
export const FLAGS: readonly string[];

/**
 * Environment variables that make the allocator return freed memory to the system. A variable that is already set keeps
 * its value.
 */
export const ALLOCATOR: Readonly<Record<string, string>>;

/** Whether a version such as 22.13.1 is at least `oldest`, such as '22.13'. */
export function isAtLeast(version: string, oldest: string): boolean;

/** The folder for compiled code: the value of NODE_COMPILE_CACHE if the variable is set, otherwise `folder`. */
export function compileCache(folder: string): string;
