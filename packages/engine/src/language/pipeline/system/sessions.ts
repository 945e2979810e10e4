import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, entriesOf } from '../../../bson/raw.ts';
import { boolOf, type Element, isAbsent, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { readOptions } from '../options.ts';
import type { CompileStage, StageTable } from '../stage.ts';
import { readsInput, type StageAccess } from '../stage-access.ts';
import { atTheSource, withoutCollection } from '../stage-facts.ts';
import type { SessionsRequest } from './facts.ts';
import { namesUsers } from './flags.ts';
import { aboutDeployment } from './system-stage.ts';

/** Needs no privilege: callers may always list their own sessions. */
const listsSessions: StageAccess = {
  ...readsInput,
  onSource: () => [],
  besides: (stage) => (namesUsers(stage) ? [{ action: 'listSessions' }] : []),
};

/** Stages that list sessions in use. */
export const sessionStages: StageTable = {
  $listLocalSessions: {
    ...aboutDeployment,
    compile: listing('$listLocalSessions'),
    within: { ...withoutCollection, view: 'needsNoCollection', transaction: false },
    access: { ...listsSessions, onSource: readsInput.onSource },
    readConcern: 'local',
  },
  $listSessions: {
    ...aboutDeployment,
    compile(spec, context) {
      const { database, collection } = context.pipelineEnvironment.namespace;
      const run = listing('$listSessions')(spec, context);
      if (database === 'config' && collection === 'system.sessions') return run;
      throw new ServerError(
        'InvalidNamespace',
        '$listSessions must be run against the config.system.sessions collection',
      );
    },
    source: 'collection',
    within: { ...atTheSource, view: 'needsNoCollection', transaction: false },
    access: listsSessions,
    readConcern: 'any',
  },
};

function listing(stage: string): CompileStage {
  return (spec, { pipelineEnvironment }) => {
    const wanted = wantedOf(stage, spec);
    return () => pipelineEnvironment.system?.sessions(wanted) ?? [];
  };
}

function wantedOf(stage: string, spec: Value): SessionsRequest {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      'TypeMismatch',
      `${stage} options must be specified in an object, but found: ${typeName(spec.type)}`,
    );
  }
  const { users, allUsers } = readOptions(stage, spec, { users: 'array', allUsers: 'bool' });
  const owners = new Set(users === undefined ? [] : ownersOf(stage, users));
  const all = allUsers !== undefined && boolOf(allUsers);
  if (all && owners.size > 0) {
    throw new ServerError(
      'UnsupportedFormat',
      `${stage} may not specify {allUsers:true} and {users:[...]} at the same time`,
    );
  }
  return { all, ...(owners.size > 0 ? { owners } : {}) };
}

function ownersOf(stage: string, users: Element): string[] {
  return entriesOf(users).flatMap((entry, i) => {
    if (isAbsent(entry)) return [];
    const name = `${stage}.users.${i}`;
    if (entry.type !== bsonTypes.object) {
      throw new ServerError(
        'TypeMismatch',
        `BSON field '${name}' is the wrong type '${typeName(entry.type)}', expected type 'object'`,
      );
    }
    const { user, db } = readOptions(name, documentOf(entry).toValue(), { user: 'string!', db: 'string!' });
    return [`${textOf(db as Element)}.${textOf(user as Element)}`];
  });
}
