import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { boolOf, type Value } from '../../../bson/value.ts';

/** The changes that an update made, by dotted paths. */
export interface UpdateDescription {
  readonly updatedFields: Record<string, Value>;
  readonly removedFields: string[];
  readonly truncatedArrays: Array<{ readonly field: string; readonly newSize: Value }>;
  /** The field names and array indexes of each path whose text is ambiguous. */
  readonly disambiguatedPaths: Record<string, Array<string | number>>;
}

/** A path of field names and array indexes. */
interface Path {
  readonly text: string;
  readonly parts: ReadonlyArray<string | number>;
  /** True if a field name contains a dot or could be read as an array index. */
  readonly ambiguous: boolean;
}

const root: Path = { text: '', parts: [], ambiguous: false };

/** Converts the difference that an oplog entry of an update contains. */
export function describeUpdate(diff: RawDocument): UpdateDescription {
  const description: UpdateDescription = {
    updatedFields: Object.create(Object.prototype),
    removedFields: [],
    truncatedArrays: [],
    disambiguatedPaths: Object.create(Object.prototype),
  };
  describeDocument(diff, root, description);
  return description;
}

function describeDocument(diff: RawDocument, path: Path, description: UpdateDescription): void {
  for (const section of diff) {
    if (section.name.startsWith('s')) {
      describeInner(documentOf(section), field(path, section.name.slice(1)), description);
      continue;
    }
    for (const element of documentOf(section)) {
      const at = field(path, element.name);
      if (section.name === 'd') description.removedFields.push(at.text);
      else description.updatedFields[at.text] = element;
      note(at, description);
    }
  }
}

function describeInner(diff: RawDocument, path: Path, description: UpdateDescription): void {
  const first = diff.first();
  const isArray = first?.name === 'a' && first.type === bsonTypes.bool && boolOf(first);
  if (isArray) describeArray(diff, path, description);
  else describeDocument(diff, path, description);
}

function describeArray(diff: RawDocument, path: Path, description: UpdateDescription): void {
  for (const entry of diff) {
    const at = index(path, entry.name.slice(1));
    if (entry.name === 'l') {
      description.truncatedArrays.push({ field: path.text, newSize: entry });
      note(path, description);
    } else if (entry.name.startsWith('u')) {
      description.updatedFields[at.text] = entry;
      note(at, description);
    } else if (entry.name.startsWith('s')) describeInner(documentOf(entry), at, description);
  }
}

function note({ text, parts, ambiguous }: Path, { disambiguatedPaths }: UpdateDescription): void {
  if (ambiguous) disambiguatedPaths[text] = [...parts];
}

function field(path: Path, name: string): Path {
  const odd = name.includes('.') || (path !== root && /^(0|[1-9]\d*)$/.test(name));
  return { ...joined(path, name), ambiguous: path.ambiguous || odd };
}

function index(path: Path, digits: string): Path {
  const { text } = joined(path, digits);
  return { text, parts: [...path.parts, Number(digits)], ambiguous: path.ambiguous };
}

function joined(path: Path, name: string): Pick<Path, 'text' | 'parts'> {
  return { text: path === root ? name : `${path.text}.${name}`, parts: [...path.parts, name] };
}
