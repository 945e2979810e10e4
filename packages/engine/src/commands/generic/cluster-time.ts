import { loggedIn, type WireCaller } from '../../access/caller.ts';
import { ServerError } from '../../errors/server-error.ts';
import { partsOfPosition } from '../../storage/oplog/position.ts';
import { positionOf } from '../../storage/oplog/time.ts';
import { byType, nested, required } from '../shared/field-builders.ts';
import type { Fields } from '../shared/fields.ts';

const signature = nested(
  { hash: required(byType({ binData: (value) => value })), keyId: 'int!' },
  { path: '$clusterTime.signature' },
);

const clusterTimeFields = { clusterTime: 'timestamp!', signature } as const;

/** The newest time that a client knows, with a signature. */
export const clusterTime = nested(clusterTimeFields, { path: '$clusterTime' });

/** How far a time may be ahead of the service time: the default of `maxAcceptableLogicalClockDriftSecs`, one year. */
const MAX_DRIFT_SECONDS = 365 * 24 * 60 * 60;

/**
 * Throws if the cluster cannot have sent this time. The engine sends times without a signature, that is, with the key 0.
 * Clients may send such times back, as if they were signed. `last` is the position of the newest write, and `now` the
 * service time in milliseconds.
 */
export function checkClusterTime(
  given: Fields<typeof clusterTimeFields> | undefined,
  caller: Pick<WireCaller, 'user'>,
  { last, now: ms }: { readonly last: number; readonly now: number },
): void {
  if (given === undefined) return;
  const position = positionOf(given.clusterTime);
  if (position <= last) return;
  const { seconds, increment } = partsOfPosition(position);
  const keyId = given.signature?.keyId ?? 0;
  // Like the server, ignore unsigned times of clients that have not logged in.
  if (caller.user === undefined && keyId === 0) return;
  if (loggedIn(caller) !== undefined && keyId !== 0) {
    throw new ServerError(
      'KeyNotFound',
      `No keys found for HMAC that is valid for time: { ts: Timestamp(${seconds}, ${increment}) } with id: ${keyId}`,
    );
  }
  const now = Math.floor(ms / 1000);
  if (seconds - now <= MAX_DRIFT_SECONDS) return;
  throw new ServerError(
    'ClusterTimeFailsRateLimiter',
    `New $clusterTime, ${seconds}, is too far from this node's wall clock time, ${now}.`,
  );
}
