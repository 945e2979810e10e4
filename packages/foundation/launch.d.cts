/** The options that every process of the project gets. */
export const FLAGS: readonly string[];

/** Variables that make the allocator return freed memory to the system; those that are set already take precedence. */
export const ALLOCATOR: Readonly<Record<string, string>>;

/** Whether a version such as 22.13.1 is at least `oldest`, such as '22.13'. */
export function isAtLeast(version: string, oldest: string): boolean;

/** The folder for compiled code: the value of NODE_COMPILE_CACHE if the variable is set, otherwise `folder`. */
export function compileCache(folder: string): string;
