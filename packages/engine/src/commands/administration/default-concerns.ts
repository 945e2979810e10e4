import type { RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { CONCERN_DEFAULTS, SETTINGS } from '../../parameters/parameters.ts';
import { readStored, writeStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { parseConcern, readWriteConcern, type WriteConcern } from '../generic/write-concern.ts';
import { describeDefaultConcerns } from '../shared/default-concerns.ts';
import { command } from '../shared/define.ts';
import { converted, nested, words } from '../shared/field-builders.ts';
import { truncated } from '../shared/fields.ts';
import { inspecting, writing } from '../shared/presets.ts';
import { changeStoredParameters, newestTime } from './stored-parameters.ts';

/** This file contains the commands on the default read and write concerns of the cluster. */

const getDefaultRWConcern = command({
  name: 'getDefaultRWConcern',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'getDefaultRWConcern' }],
  fields: { getDefaultRWConcern: 'any', inMemory: 'truth' },
  run: ({ inMemory }, _request, cluster) => ({
    ...describeDefaultConcerns(cluster),
    ...(inMemory ? { inMemory: true } : {}),
  }),
});

const usable: ReadonlySet<string> = new Set(['local', 'available', 'majority']);

const level = converted(words(['local', 'available', 'majority', 'linearizable', 'snapshot']), (named) => {
  if (usable.has(named)) return named;
  throw new ServerError('BadValue', `level: ${named} is not suitable for the default read concern`);
});

const defaultReadConcern = nested({ level, provenance: 'string' });

const setDefaultRWConcern = command({
  name: 'setDefaultRWConcern',
  ...writing,
  database: 'admin',
  audit: 'none',
  privileges: () => [{ action: 'setDefaultRWConcern' }],
  fields: { setDefaultRWConcern: 'any', defaultReadConcern, defaultWriteConcern: 'object' },
  run({ defaultReadConcern: given, defaultWriteConcern }, { body }, cluster) {
    if (given === undefined && defaultWriteConcern === undefined) {
      throw new ServerError(
        'BadValue',
        "At least one of the 'defaultReadConcern' or 'defaultWriteConcern' fields must be present",
      );
    }
    const own = body.document('writeConcern');
    // The server stores the defaults with the write concern of this command. If this write concern refers to an
    // unknown mode, the command fails.
    if (own !== undefined) readKnown(own, cluster);
    const before = readStored(cluster.store, SETTINGS, CONCERN_DEFAULTS);
    const read = given === undefined ? before?.document('defaultReadConcern') : levelIn(given);
    const write =
      defaultWriteConcern === undefined
        ? before?.document('defaultWriteConcern')
        : writeConcern(defaultWriteConcern, before?.document('defaultWriteConcern'), cluster);
    changeStoredParameters(cluster, () => {
      writeStored(cluster.store, SETTINGS, CONCERN_DEFAULTS, {
        defaultReadConcern: read,
        defaultWriteConcern: write,
        updateOpTime: newestTime(cluster),
        updateWallClockTime: new Date(cluster.clock.now()),
      });
    });
    return describeDefaultConcerns(cluster);
  },
});

/** Returns the default read concern. Returns undefined for an empty one, which means the default of the server. */
function levelIn({ level }: { readonly level?: string }): object | undefined {
  return level === undefined ? undefined : { level };
}

/** Throws if the write concern refers to a mode that is not defined. */
function readKnown(concern: RawDocument, { topology: { members } }: ClusterContext): WriteConcern {
  const read = readWriteConcern(setDefaultRWConcern, parseConcern(concern), members);
  if (read.unsatisfied?.codeName !== 'UnknownReplWriteConcern') return read;
  throw new ServerError('UnknownReplWriteConcern', read.unsatisfied.errmsg);
}

/** Validates a write concern by the rules for every command, and then by the stricter rules for a default. */
function writeConcern(
  concern: RawDocument,
  before: RawDocument | undefined,
  cluster: ClusterContext,
): Record<string, unknown> {
  if (concern.isEmpty) {
    if (before === undefined) return { w: 'majority', wtimeout: 0 };
    throw new ServerError(
      'IllegalOperation',
      'The global default write concern cannot be unset once it is set.',
    );
  }
  if (!readKnown(concern, cluster).acknowledged)
    throw new ServerError('BadValue', "The default write concern cannot be set to 'w:0'");
  const [w, j, wtimeout] = [concern.get('w'), concern.get('j'), concern.get('wtimeout')];
  if (w === undefined) {
    throw new ServerError('BadValue', "The default write concern must name a value for its field 'w'");
  }
  return {
    w: whole(w),
    j,
    wtimeout: wtimeout && isNumber(wtimeout) ? truncated(wtimeout) : 0,
  };
}

function whole(w: Value): unknown {
  return isNumber(w) ? truncated(w) : w;
}

export const defaultConcernCommands: readonly Command[] = [getDefaultRWConcern, setDefaultRWConcern];
