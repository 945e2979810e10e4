import type { MongoClientOptions } from 'mongodb';

/**
 * Options for a driver that searches for a server longer than the default of 30 seconds. Servers can respond as late as
 * that if they are killed and restarted, or if the machine is busy.
 */
export const LONG_TIMEOUTS: MongoClientOptions = { serverSelectionTimeoutMS: 120_000 };
