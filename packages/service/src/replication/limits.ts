/* This file defines limits of servers that the service does not run. It does not load the driver. */

/** Number of databases that a deployment may have. */
export const MAX_DATABASES = 10_000;

/**
 * Time limit of commands that read or change little. It exceeds the driver's own time limits for selecting a server,
 * for connecting, and for waiting for a reply.
 */
export const SHORT_MS = 15_000;
/** Time limit of the commands of a copy. Each returns within seconds, unless the server hangs. */
export const COMMAND_MS = 60_000;
/** Time limit of an index build. */
export const BUILD_MS = 24 * 3_600_000;

/**
 * Options that end a command after `ms` milliseconds. The driver's own limits do not cover a command whose connection
 * breaks while the command is being sent. The driver would then wait forever until the broken connection accepts more
 * data.
 */
export const endingAfter = (ms: number) => ({ signal: AbortSignal.timeout(ms) });
