import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { positionOf } from '../../storage/oplog/time.ts';
import type { CommandFacts } from '../context/facts.ts';
import { nested, words } from '../shared/field-builders.ts';
import type { Fields } from '../shared/fields.ts';

/**
 * The levels of read concern, which determine the writes that a read may see. All except `snapshot` see the newest
 * acknowledged write.
 */
const levels = ['local', 'majority', 'available', 'linearizable', 'snapshot'] as const;

/** Where a read or write concern comes from. */
export const provenance = words([
  'clientSupplied',
  'implicitDefault',
  'customDefault',
  'getLastErrorDefaults',
  'internalWriteDefault',
]);

const concernFields = {
  level: words(levels),
  afterClusterTime: 'timestamp',
  atClusterTime: 'timestamp',
  afterOpTime: 'any',
  provenance,
} as const;

export const readConcern = nested(concernFields, { path: 'readConcern' });

export type GivenReadConcern = Fields<typeof concernFields>;

/** Requirements of a read in addition to reading the newest data. */
export interface ReadConcern {
  /** Set if the read must see the data of one point in time. The point is `at`, or the present if `at` is absent. */
  readonly snapshot?: { readonly at?: Value };
  /** Causal consistency: the read must see all writes up to this time. */
  readonly after?: Value;
}

/**
 * Validates a read concern. `transaction` is true for a read in a transaction. Such a read uses a snapshot, whatever
 * its level is.
 */
export function checkReadConcern(
  command: Pick<CommandFacts, 'name' | 'readConcern'>,
  concern: GivenReadConcern | undefined,
  transaction: boolean,
): ReadConcern {
  if (concern === undefined) return {};
  const { level = 'local', atClusterTime, afterClusterTime } = concern;
  if (command.readConcern === 'of cursor') return {};
  const supported =
    level === 'snapshot' ? command.readConcern === 'snapshot' : command.readConcern !== 'local';
  if (level !== 'local' && !supported && !transaction) {
    throw new ServerError(
      'InvalidOptions',
      `Command ${command.name} does not support { readConcern: { level: "${level}" } }`,
    );
  }
  if (atClusterTime !== undefined && level !== 'snapshot') {
    throw invalid("readConcern 'atClusterTime' may only be specified with level 'snapshot'");
  }
  if (atClusterTime !== undefined && positionOf(atClusterTime) <= 1) {
    // The server treats the first position in the oplog like a null timestamp.
    throw invalid('readConcern.atClusterTime cannot be a null timestamp');
  }
  if (atClusterTime !== undefined && afterClusterTime !== undefined) {
    throw invalid("readConcern 'atClusterTime' and 'afterClusterTime' cannot both be specified");
  }
  if (afterClusterTime !== undefined && positionOf(afterClusterTime) === 0) {
    throw invalid('readConcern.afterClusterTime cannot be a null timestamp');
  }
  if (afterClusterTime !== undefined && (level === 'linearizable' || level === 'available')) {
    throw invalid(`readConcern 'afterClusterTime' cannot be specified with level '${level}'`);
  }
  return {
    ...(afterClusterTime === undefined ? {} : { after: afterClusterTime }),
    ...(level !== 'snapshot' ? {} : { snapshot: atClusterTime === undefined ? {} : { at: atClusterTime } }),
  };
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
