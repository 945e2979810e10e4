/* Time limits of commands. This file does not load the driver. */

/** Time limit of commands that read or change little. It exceeds those of the driver for the parts of a command. */
export const SHORT_MS = 15_000;
/** Time limit of the commands of a copy. Each returns within seconds, unless the server hangs. */
export const COMMAND_MS = 60_000;
/** Time limit of an index build. */
export const BUILD_MS = 24 * 3_600_000;

/**
 * Options that end a command after a time. The driver's own limits do not cover a command whose connection breaks as it
 * is sent: the driver then waits without end until the broken connection accepts more data.
 */
export const endingAfter = (ms: number) => ({ signal: AbortSignal.timeout(ms) });
