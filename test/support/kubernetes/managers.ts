import { isDeepStrictEqual } from 'node:util';
import { type Json, pathsOf, treeOf, valueAt } from './fields.ts';
import { Refused } from './refused.ts';

/** The manager that changes an object. With `status`, only the status changes. */
export interface Change {
  readonly manager: string;
  readonly subresource: string;
}

export interface Manager extends Change {
  readonly operation: 'Apply' | 'Update';
  readonly paths: ReadonlySet<string>;
}

/** Fields that identify an object or that the server sets. They have no owner. */
const unowned =
  /^\["(apiVersion"|kind"|metadata","(name|namespace|uid|generation|resourceVersion|managedFields)")/;
const ownedPaths = (object: Json) => pathsOf(object).filter((path) => !unowned.test(path));

/** Several managers can own finalizers, since each finalizer is an element of a set. */
const isSet = (path: string) => path === '["metadata","finalizers"]';

/** The managers that own the fields of an object, and the rules by which changes affect them. */
export class ManagedFields {
  readonly #managers: readonly Manager[];
  readonly #before: Json | undefined;

  constructor(managers: readonly Manager[], before: Json | undefined) {
    this.#managers = managers;
    this.#before = before;
  }

  /**
   * Returns the managers after a server-side apply, and the fields to remove: the fields that the previous apply of
   * this manager contained and this apply does not contain.
   */
  apply(wanted: Json, manager: string, force: boolean) {
    const paths = new Set(ownedPaths(wanted));
    const isOwn = (one: Manager) => one.manager === manager && one.operation === 'Apply';
    const others = this.#managers.filter((one) => !isOwn(one));
    const differing = new Set(
      [...paths].filter(
        (path) => !isSet(path) && !isDeepStrictEqual(valueAt(this.#before, path), valueAt(wanted, path)),
      ),
    );
    if (!force) checkConflicts(others, differing, String(wanted.apiVersion));
    const left = lessOf(others, differing);
    const own = this.#managers.find(isOwn)?.paths ?? new Set();
    const dropped = [...own].filter((path) => !paths.has(path) && !left.some((one) => one.paths.has(path)));
    const applied = { manager, subresource: '', operation: 'Apply', paths } as const;
    return { managers: [...left, applied], dropped };
  }

  /** Returns the managers after any other change. The manager of the change owns the fields that it changes. */
  update(change: Json, { manager, subresource }: Change): readonly Manager[] {
    const paths = new Set(
      ownedPaths(change).filter(
        (path) => !isDeepStrictEqual(valueAt(this.#before, path), valueAt(change, path)),
      ),
    );
    if (paths.size === 0) return this.#managers;
    const isOwn = (one: Manager) =>
      one.manager === manager && one.operation === 'Update' && one.subresource === subresource;
    const others = lessOf(
      this.#managers.filter((one) => !isOwn(one)),
      paths,
    );
    const kept = [...paths].filter((path) => valueAt(change, path) !== null);
    const all = new Set([...(this.#managers.find(isOwn)?.paths ?? []), ...kept]);
    return [...others, { manager, subresource, operation: 'Update', paths: all }];
  }
}

function lessOf(managers: readonly Manager[], paths: ReadonlySet<string>): Manager[] {
  return managers
    .map((one) => ({ ...one, paths: new Set([...one.paths].filter((path) => !paths.has(path))) }))
    .filter((one) => one.paths.size > 0);
}

function checkConflicts(others: readonly Manager[], paths: ReadonlySet<string>, apiVersion: string): void {
  const causes = others.flatMap((one) =>
    [...one.paths]
      .filter((path) => paths.has(path))
      .map((path) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with "${one.manager}"${one.operation === 'Update' ? ` using ${apiVersion}` : ''}`,
        field: `.${(JSON.parse(path) as string[]).join('.')}`,
      })),
  );
  const [first] = causes;
  if (first === undefined) return;
  const message = `Apply failed with ${causes.length} conflicts, such as ${first.message}: ${first.field}`;
  throw new Refused(409, 'Conflict', message, { causes });
}

/** Returns the managers in the form of `metadata.managedFields`. */
export function entriesOf(managers: readonly Manager[], apiVersion: string): Json[] {
  return managers.map(({ manager, operation, subresource, paths }) => ({
    ...{ apiVersion, manager, operation, fieldsType: 'FieldsV1', fieldsV1: treeOf(paths) },
    ...(subresource === '' ? {} : { subresource }),
  }));
}
