import { Double, deserialize, serialize } from 'bson';
import { readInt32 } from '../bson/bytes.ts';

/**
 * The codes of errors after which a driver must request the state of the member again. The state has changed, or is
 * about to change.
 */
const stateChanges: ReadonlySet<number> = new Set([
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/**
 * Maximum size of a reply with an error. Such a reply is short, and begins with `ok: 0.0`: a type byte, a name of three
 * bytes, and eight zero bytes.
 */
const MAX_BYTES = 2_048;
const FAILED = Buffer.of(1, 0x6f, 0x6b, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/**
 * True if the reply contains an error of `stateChanges`. For all other replies, this takes only a few comparisons.
 */
export function isStateChange(document: Uint8Array): boolean {
  if (document[4] !== FAILED[0] || readInt32(document, 0) > MAX_BYTES) return false;
  if (Buffer.compare(document.subarray(4, 4 + FAILED.length), FAILED) !== 0) return false;
  return stateChanges.has(Number(deserialize(document).code));
}

/**
 * Adds the current topology version to a reply with an error. Drivers compare this version to detect that an error is
 * out of date.
 */
export function withTopologyVersion(document: Uint8Array, topologyVersion: object): Uint8Array {
  const answer = deserialize(document, { promoteValues: false });
  return serialize({ ...answer, ok: new Double(0), topologyVersion });
}
