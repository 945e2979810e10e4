import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { elementAt, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { languageNamed } from './language.ts';
import type { Language } from './terms.ts';

/** The fields of a text index and their weights. */
export interface TextIndex {
  readonly weights: ReadonlyMap<string, number>;
  /**
   * The weight of all fields that `weights` does not name; undefined if the index covers only the fields in
   * `weights`.
   */
  readonly wildcard: number | undefined;
  readonly language: Language;
  /** The name of the document field that overrides the language. */
  readonly override: string;
  /** The key fields before the text fields. Queries must compare them by equality. */
  readonly prefix: readonly string[];
  readonly version: number;
}

/** Reads an index specification in the format of `listIndexes`. */
export function textIndexOf(spec: RawDocument): TextIndex {
  const weights = new Map<string, number>();
  for (const weight of spec.document('weights') ?? []) {
    if (isNumber(weight)) weights.set(weight.name, toNumber(weight));
  }
  const prefix: string[] = [];
  for (const { name } of spec.document('key') ?? []) {
    if (name === '_fts') break;
    prefix.push(name);
  }
  const version = versionOf(spec);
  return {
    weights,
    wildcard: weights.get('$**'),
    version,
    language: languageNamed(spec.string('default_language') ?? 'english', version) ?? english(),
    override: spec.string('language_override') ?? 'language',
    prefix,
  };
}

function versionOf(spec: RawDocument): number {
  const value = spec.get('textIndexVersion');
  return value !== undefined && isNumber(value) ? toNumber(value) : 3;
}

function english(): Language {
  return languageNamed('english') as Language;
}

export type VisitText = (text: string, weight: number, language: Language) => void;

/**
 * Calls `visit` for every indexed text of a document. Throws 17261 or 17262 if the language field of the document is
 * not a string or names an unsupported language.
 */
export function visitTexts(index: TextIndex, doc: RawDocument, visit: VisitText): void {
  visitDocument(index, doc, '', index.language, visit);
}

function visitDocument(
  index: TextIndex,
  doc: RawDocument,
  prefix: string,
  around: Language,
  visit: VisitText,
): void {
  const language = languageOf(index, doc) ?? around;
  for (const element of doc) {
    const { type } = element;
    if (type !== bsonTypes.string && type !== bsonTypes.object && type !== bsonTypes.array) continue;
    const { name } = element;
    if (name === index.override) continue;
    visitValue(index, element, prefix === '' ? name : `${prefix}.${name}`, language, visit);
  }
}

function visitValue(
  index: TextIndex,
  value: Value,
  path: string,
  language: Language,
  visit: VisitText,
): void {
  const weight = index.weights.get(path) ?? index.wildcard;
  if (value.type === bsonTypes.string) {
    if (weight !== undefined) visit(textOf(value), weight, language);
  } else if (value.type === bsonTypes.array) {
    const { bytes } = value;
    for (let entry = elementAt(bytes, value.start + 4); entry; entry = elementAt(bytes, entry.end)) {
      if (entry.type === bsonTypes.string || entry.type === bsonTypes.object) {
        visitValue(index, entry, path, language, visit);
      }
    }
  } else if (value.type === bsonTypes.object && containsIndexedField(index, path)) {
    visitDocument(index, documentOf(value), path, language, visit);
  }
}

function containsIndexedField({ weights, wildcard }: TextIndex, path: string): boolean {
  if (wildcard !== undefined) return true;
  for (const name of weights.keys()) if (name.startsWith(`${path}.`)) return true;
  return false;
}

function languageOf({ override, version }: TextIndex, doc: RawDocument): Language | undefined {
  const value = doc.get(override);
  if (value === undefined) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(17261, 'found language override field in document with non-string type');
  }
  const language = languageNamed(textOf(value), version);
  if (language !== undefined) return language;
  throw new ServerError(17262, `language override unsupported: ${textOf(value)}`);
}

/** Throws if a text index cannot include the document. `spec` has the format of `listIndexes`. */
export function checkTextKeys(spec: RawDocument, doc: RawDocument): void {
  for (const { name } of spec.document('key') ?? []) {
    if (name !== '_fts' && name !== '_ftsx' && containsArray(doc, name.split('.')))
      throw new ServerError('CannotBuildIndexKeys', `Field '${name}' of text index contains an array`);
  }
  visitTexts(textIndexOf(spec), doc, () => {});
}

/** True if the value at the path, or a value above it, is an array. */
function containsArray(doc: RawDocument, [name = '', ...rest]: readonly string[]): boolean {
  const value = doc.get(name);
  if (value?.type === bsonTypes.object && rest.length > 0) return containsArray(documentOf(value), rest);
  return value?.type === bsonTypes.array;
}
