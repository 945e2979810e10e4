import { isDeepStrictEqual } from 'node:util';
import { knownActions } from '../../access/known-actions.ts';
import type { ResourceSpec } from '../../access/resources.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { fields } from '../shared/fields.ts';

export interface PrivilegeSpec {
  readonly resource: ResourceSpec;
  readonly actions: readonly string[];
}

const privilegeFields = fields('privileges', { resource: 'object!', actions: 'array!' });
const resourceFields = fields('privileges.resource', {
  anyResource: 'bool',
  cluster: 'bool',
  db: 'string',
  collection: 'string',
  system_buckets: 'string',
});

/** Parses the privileges of a role. */
export function privilegesIn(list: readonly Value[]): PrivilegeSpec[] {
  return list.map((entry) => {
    if (entry.type !== bsonTypes.object) {
      throw new ServerError(
        'TypeMismatch',
        "BSON field 'privileges.0' is the wrong type, expected type 'object'",
      );
    }
    const { resource, actions } = privilegeFields.read(documentOf(entry));
    if (actions.length === 0)
      throw new ServerError('FailedToParse', 'actions field of a privilege must not be empty');
    return { resource: resourceIn(resource), actions: [...new Set(actions.map(actionIn))].sort() };
  });
}

function resourceIn(document: RawDocument): ResourceSpec {
  const { anyResource, cluster, db, collection, system_buckets } = resourceFields.read(document);
  if (anyResource === true) return { anyResource };
  if (cluster === true) return { cluster };
  if (system_buckets !== undefined && collection === undefined)
    return { ...(db !== undefined && db !== '' && { db }), system_buckets };
  if (db !== undefined && collection !== undefined) return { db, collection };
  throw new ServerError(
    'FailedToParse',
    'resource must set both db and collection, cluster: true, anyResource: true or system_buckets',
  );
}

function actionIn(value: Value): string {
  const action = value.type === bsonTypes.string ? textOf(value) : '';
  if (knownActions.has(action)) return action;
  throw new ServerError('FailedToParse', `Unrecognized action privilege string: ${action}`);
}

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
