import { badValue } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { isBuiltInRole } from '../built-in-roles.ts';
import { checkSegment } from '../names.ts';
import { usersOf } from '../rows.ts';
import { scopeOfAction } from './actions.ts';
import { roleFaults } from './faults.ts';
import { type RoleDocument, type RoleRow, rolesOf } from './rows.ts';
import type { CustomRoleUpdate } from './schema.ts';

/** A role, and all roles of its project. */
export interface FoundRole {
  readonly row: RoleRow;
  readonly roles: readonly RoleRow[];
}

/** Returns the role that a path names. Throws PLATFORM_CUSTOM_ROLE_NOT_FOUND. */
export async function requireRole(
  tx: ReadTx,
  at: { readonly groupId: string; readonly roleName: string },
): Promise<FoundRole> {
  const roles = await rolesOf(tx, at.groupId);
  const row = roles.find(({ name }) => name === at.roleName);
  if (!row) throw roleFaults.PLATFORM_CUSTOM_ROLE_NOT_FOUND(at.roleName);
  return { row, roles };
}

/** Throws for a name that a new role cannot have. */
export function checkNewName(name: string, roles: readonly RoleRow[]): void {
  checkSegment('roleName', name);
  if (isBuiltInRole(name)) throw roleFaults.PLATFORM_CUSTOM_ROLE_NAME_RESERVED(name).at('roleName');
  if (roles.some((role) => role.name === name)) throw roleFaults.PLATFORM_CUSTOM_ROLE_ALREADY_EXISTS(name);
}

/** Throws if another role inherits this role, or if a user has it. */
export async function checkUnused(tx: ReadTx, { row, roles }: FoundRole): Promise<void> {
  const { name, groupId } = row;
  const inheriting = roles.find(({ document }) =>
    document.inheritedRoles.some(({ role, db }) => db === 'admin' && role === name),
  );
  if (inheriting) throw roleFaults.PLATFORM_CUSTOM_ROLE_IN_USE(name, inheriting.name);
  const users = await usersOf(tx, groupId);
  const user = users.find(({ document }) => document.roles.some(({ roleName }) => roleName === name));
  if (user) throw roleFaults.PLATFORM_CUSTOM_ROLE_IN_USE(name, user.username);
}

/**
 * Builds the document of a role. Fields that the body omits keep their previous values, if any. `roles` are all roles
 * of the project.
 */
export function readRole(
  name: string,
  body: CustomRoleUpdate,
  roles: readonly RoleRow[],
  before?: RoleDocument,
): RoleDocument {
  const document = {
    actions: body.actions ?? before?.actions ?? [],
    inheritedRoles: body.inheritedRoles ?? before?.inheritedRoles ?? [],
  };
  if (document.actions.length + document.inheritedRoles.length === 0) {
    throw roleFaults.PLATFORM_CUSTOM_ROLE_EMPTY();
  }
  for (const action of document.actions) checkResources(action);
  checkTotal(name, document, roles);
  const names = new Set(roles.map((row) => row.name));
  for (const { role, db } of document.inheritedRoles) checkInherited(role, db, names);
  if (inherits(document, name, roles)) throw roleFaults.PLATFORM_CUSTOM_ROLE_CYCLE(name);
  return document;
}

function checkResources({ action, resources = [] }: RoleDocument['actions'][number]): void {
  const place = scopeOfAction(action);
  const fits = resources.every(({ cluster, db, collection }) => {
    if (place !== 'collection' && cluster === true) return db === undefined && collection === undefined;
    return place !== 'cluster' && cluster !== true && db !== undefined && collection !== undefined;
  });
  if (fits && resources.length > 0) return;
  const wanted =
    place === 'cluster' ? 'a resource with the field cluster' : 'resources with the fields db and collection';
  throw roleFaults.PLATFORM_CUSTOM_ROLE_INVALID_RESOURCE(action, wanted);
}

/**
 * Maximum number of resources in all custom roles of a project. The service reads and converts all roles of a project
 * without a pause when it applies a change to clusters.
 */
const MAX_RESOURCES = 10_000;

function checkTotal(name: string, document: RoleDocument, roles: readonly RoleRow[]): void {
  const others = roles.filter((row) => row.name !== name).map((row) => row.document);
  const all = [document, ...others].flatMap(({ actions }) => actions);
  const count = all.reduce((sum, { resources = [] }) => sum + resources.length, 0);
  if (count > MAX_RESOURCES)
    throw badValue(
      'actions',
      `exceed the limit of ${MAX_RESOURCES} resources in all custom roles of a project`,
    );
}

function checkInherited(role: string, db: string, names: ReadonlySet<string>): void {
  if (isBuiltInRole(role, db)) return;
  if (db === 'admin' && names.has(role)) return;
  throw roleFaults.PLATFORM_CUSTOM_ROLE_NOT_FOUND(role);
}

/**
 * Whether a role document inherits the role `name`, directly or indirectly. Visits each role once, because the number
 * of paths between roles that inherit each other can grow exponentially with the number of roles.
 */
function inherits(document: RoleDocument, name: string, roles: readonly RoleRow[]): boolean {
  const byName = new Map(roles.map((row) => [row.name, row.document]));
  const found = new Set(inheritedBy(document));
  // The loop also visits the names that it adds.
  for (const role of found) for (const inherited of inheritedBy(byName.get(role))) found.add(inherited);
  return found.has(name);
}

/** Returns the custom roles that a role document inherits directly. */
function inheritedBy({ inheritedRoles = [] }: Partial<RoleDocument> = {}): readonly string[] {
  return inheritedRoles.filter(({ db }) => db === 'admin').map(({ role }) => role);
}
