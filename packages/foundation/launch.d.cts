/** The options that every process of the project gets. */
export const FLAGS: readonly string[];

/** Variables that make the allocator return freed memory to the system; those that are set already take precedence. */
export const ALLOCATOR: Readonly<Record<string, string>>;

/** Whether a version such as 22.13.1 is at least `oldest`, such as '22.13'. */
export function isAtLeast(version: string, oldest: string): boolean;

/** The folder of compiled code: the one that this process was given, or else `folder`. */
export function compileCache(folder: string): string;
