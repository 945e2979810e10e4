import { isDeepStrictEqual } from 'node:util';
import { knownActions } from '../../access/known-actions.ts';
import type { ResourceSpec } from '../../access/resources.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { byType, converted, listOf, nested, notEmpty, required } from '../shared/field-builders.ts';

export interface PrivilegeSpec {
  readonly resource: ResourceSpec;
  readonly actions: readonly string[];
}

/** The name of an action. */
const action = byType({ string: (value) => readAction(textOf(value)) }, () => unknownAction(''));

function readAction(name: string): string {
  if (knownActions.has(name)) return name;
  throw unknownAction(name);
}

function unknownAction(name: string): ServerError {
  return new ServerError('FailedToParse', `Unrecognized action privilege string: ${name}`);
}

const actions = notEmpty(
  listOf(action),
  () => new ServerError('FailedToParse', 'actions field of a privilege must not be empty'),
);

const resource = converted(
  nested({
    anyResource: 'bool',
    cluster: 'bool',
    db: 'string',
    collection: 'string',
    system_buckets: 'string',
  }),
  ({ anyResource, cluster, db, collection, system_buckets }): ResourceSpec => {
    if (anyResource === true) return { anyResource };
    if (cluster === true) return { cluster };
    if (system_buckets !== undefined && collection === undefined)
      return { ...(db !== undefined && db !== '' && { db }), system_buckets };
    if (db !== undefined && collection !== undefined) return { db, collection };
    throw new ServerError(
      'FailedToParse',
      'resource must set both db and collection, cluster: true, anyResource: true or system_buckets',
    );
  },
);

const privilege = converted(
  nested({ resource: required(resource), actions: required(actions) }),
  (given): PrivilegeSpec => ({ resource: given.resource, actions: [...new Set(given.actions)].sort() }),
);

/** The privileges of a role. */
export const privilegeList = listOf(privilege);

/** Adds actions to existing privileges on the same resource. */
export function withPrivileges(
  before: readonly PrivilegeSpec[],
  added: readonly PrivilegeSpec[],
): PrivilegeSpec[] {
  const joined = [...before];
  for (const { resource, actions } of added) {
    const at = joined.findIndex((each) => isDeepStrictEqual(each.resource, resource));
    const existing = joined[at]?.actions ?? [];
    joined.splice(at === -1 ? joined.length : at, 1, {
      resource,
      actions: [...new Set([...existing, ...actions])].sort(),
    });
  }
  return joined;
}

export function withoutPrivileges(
  before: readonly PrivilegeSpec[],
  removed: readonly PrivilegeSpec[],
): PrivilegeSpec[] {
  const removedActions = (resource: ResourceSpec) =>
    removed.filter((each) => isDeepStrictEqual(each.resource, resource)).flatMap(({ actions }) => actions);
  return before
    .map(({ resource, actions }) => {
      const without = new Set(removedActions(resource));
      return { resource, actions: actions.filter((action) => !without.has(action)) };
    })
    .filter(({ actions }) => actions.length > 0);
}
