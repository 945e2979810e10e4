import type { TObject, TSchema } from 'typebox';
import type { ListKind, Operation, OperationRules } from '../operation.ts';
import type { ReleaseDate } from '../versions.ts';
import { type Catalogue, type PlannedId, plannedOperation } from './catalogue.ts';

type PathOf<Id extends PlannedId> = Catalogue[Id]['path'];

/**
 * Declares operations of the catalogue by their id: method, path, tag and versions come from there. Fixes the type of
 * the services, and lets the rest be inferred.
 */
export function plannedOperationsOf<Services>() {
  return <
    const Id extends PlannedId,
    Q extends TObject = TObject<Record<never, never>>,
    B extends TSchema = TSchema,
    R extends TSchema = TSchema,
    const L extends ListKind = undefined,
  >(
    id: Id,
    rules: OperationRules<Services, PathOf<Id>, Q, B, R, L>,
  ): Operation<Services, PathOf<Id>, Q, B, R, L> => {
    const { method, path, tag, versions } = plannedOperation(id);
    return { ...rules, id, method, path, tag, versions: { ...inOwnShape(versions), ...rules.versions } };
  };
}

function inOwnShape(versions: readonly ReleaseDate[]): { readonly [Date in ReleaseDate]?: 'same' } {
  return Object.fromEntries(versions.map((version) => [version, 'same']));
}
