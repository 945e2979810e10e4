import { LargeReply } from '../../api/operation.ts';

/** Makes replies one after another, since the slow operations of a cluster can take a hundred megabytes. */
export const inTurn = <T>(make: () => Promise<T>) => new LargeReply(undefined, make);
