import { bsonTypes } from '../../language/bson-types.ts';
import { documentOf, type RawDocument } from '../../language/raw.ts';
import { boolOf, type Value } from '../../language/value.ts';

/** What an update changed, by dotted paths. */
export interface UpdateDescription {
  readonly updatedFields: Record<string, Value>;
  readonly removedFields: string[];
  readonly truncatedArrays: Array<{ readonly field: string; readonly newSize: Value }>;
}

/** Reads a difference of the oplog. */
export function describeUpdate(diff: RawDocument): UpdateDescription {
  const description: UpdateDescription = {
    updatedFields: Object.create(Object.prototype),
    removedFields: [],
    truncatedArrays: [],
  };
  describeDocument(diff, '', description);
  return description;
}

function describeDocument(diff: RawDocument, prefix: string, description: UpdateDescription): void {
  for (const section of diff) {
    if (section.name.startsWith('s')) {
      describeInner(documentOf(section), `${prefix}${section.name.slice(1)}`, description);
      continue;
    }
    for (const field of documentOf(section)) {
      const path = prefix + field.name;
      if (section.name === 'd') description.removedFields.push(path);
      else description.updatedFields[path] = field;
    }
  }
}

function describeInner(diff: RawDocument, path: string, description: UpdateDescription): void {
  const first = diff.first();
  const isArray = first?.name === 'a' && first.type === bsonTypes.bool && boolOf(first);
  if (!isArray) describeDocument(diff, `${path}.`, description);
  else describeArray(diff, path, description);
}

function describeArray(diff: RawDocument, path: string, description: UpdateDescription): void {
  for (const entry of diff) {
    const at = `${path}.${entry.name.slice(1)}`;
    if (entry.name === 'l') description.truncatedArrays.push({ field: path, newSize: entry });
    else if (entry.name.startsWith('u')) description.updatedFields[at] = entry;
    else if (entry.name.startsWith('s')) describeInner(documentOf(entry), at, description);
  }
}
