import type { IndexPlan } from './definition.ts';
import type { FieldMapping, Mapping } from './field.ts';

/** The mappings at the path of a query. */
export interface FoundField {
  readonly mappings: readonly FieldMapping[];
  /** The path of the innermost `embeddedDocuments` field that contains the field; undefined if there is none. */
  readonly embedded: string | undefined;
}

/**
 * Finds the mappings of a field of the documents at a level: those of the collection, or those embedded at the path
 * `within`. A field may be mapped both as `document` and as `embeddedDocuments`, and then has mappings at both levels.
 */
export function findField(
  { mapping }: Pick<IndexPlan, 'mapping'>,
  path: string,
  within: string | undefined,
): FoundField {
  return find(mapping, path.split('.'), 0, { embedded: undefined, within });
}

/** Finds the mappings of a field at any level. */
export function findAnywhere({ mapping }: Pick<IndexPlan, 'mapping'>, path: string): FoundField {
  return find(mapping, path.split('.'), 0, { embedded: undefined });
}

interface Level {
  /** The path of the innermost embedded documents that the search for the field has entered so far. */
  readonly embedded: string | undefined;
  /** The level of the documents that are searched. Absent if any level is searched. */
  readonly within?: string | undefined;
}

function find(mapping: Mapping, names: readonly string[], at: number, level: Level): FoundField {
  const { embedded } = level;
  const isLevel = !('within' in level) || level.within === embedded;
  const own = mapping.fields.get(names[at] ?? '');
  if (own === undefined) return { mappings: isLevel ? (mapping.dynamic ?? []) : [], embedded };
  if (at === names.length - 1) return { mappings: isLevel ? own : [], embedded };
  const path = names.slice(0, at + 1).join('.');
  for (const { type, inside } of own) {
    if (inside === undefined) continue;
    const inner = type === 'embeddedDocuments' ? { ...level, embedded: path } : level;
    const found = find(inside, names, at + 1, inner);
    if (found.mappings.length > 0) return found;
  }
  return { mappings: [], embedded };
}
