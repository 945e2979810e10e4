import type { IndexPlan } from './definition.ts';
import type { FieldMapping, Mapping } from './field.ts';

/** The mappings at the path of a query. */
export interface FoundField {
  readonly mappings: readonly FieldMapping[];
  /** The path of the innermost `embeddedDocuments` field that contains the field; undefined if there is none. */
  readonly embedded: string | undefined;
}

export function findField({ mapping }: IndexPlan, path: string): FoundField {
  return find(mapping, path.split('.'), 0, undefined);
}

function find(
  mapping: Mapping,
  names: readonly string[],
  at: number,
  embedded: string | undefined,
): FoundField {
  const own = mapping.fields.get(names[at] ?? '');
  if (own === undefined) return { mappings: mapping.dynamic ?? [], embedded };
  if (at === names.length - 1) return { mappings: own, embedded };
  for (const { type, inside } of own) {
    if (inside === undefined) continue;
    const path = type === 'embeddedDocuments' ? names.slice(0, at + 1).join('.') : embedded;
    const found = find(inside, names, at + 1, path);
    if (found.mappings.length > 0) return found;
  }
  return { mappings: [], embedded };
}
