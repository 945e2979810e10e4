import type { KnownFailure } from './suite.ts';

/** Tests of each suite that do not pass, with the reason; what a change breaks does not belong here. */
export const knownFailures: Readonly<Record<string, readonly KnownFailure[]>> = {
  mongoose: [],
  pymongo: [],
};
