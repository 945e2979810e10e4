import { bsonTypes } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { elementAt, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { languageNamed } from './language.ts';
import type { Language } from './terms.ts';

/** Which fields a text index holds, and what each of them weighs. */
export interface TextIndex {
  readonly weights: ReadonlyMap<string, number>;
  /** The weight of all fields that are not named; absent where only those that are count. */
  readonly wildcard: number | undefined;
  readonly language: Language;
  /** The field of documents that names their language. */
  readonly override: string;
  /** Fields before the text in the key: queries must give their values. */
  readonly prefix: readonly string[];
}

/** From a specification as `listIndexes` shows it. */
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
  return {
    weights,
    wildcard: weights.get('$**'),
    language: languageNamed(spec.string('default_language') ?? 'english') ?? english(),
    override: spec.string('language_override') ?? 'language',
    prefix,
  };
}

function english(): Language {
  return languageNamed('english') as Language;
}

export type VisitText = (text: string, weight: number, language: Language) => void;

/**
 * Visits every text of a document that is in the index. Throws 17261 and 17262 for a field that names the language
 * and is no text, or names one that is not there.
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
  } else if (value.type === bsonTypes.object && leadsOn(index, path)) {
    visitDocument(index, documentOf(value), path, language, visit);
  }
}

function leadsOn({ weights, wildcard }: TextIndex, path: string): boolean {
  if (wildcard !== undefined) return true;
  for (const name of weights.keys()) if (name.startsWith(`${path}.`)) return true;
  return false;
}

function languageOf({ override }: TextIndex, doc: RawDocument): Language | undefined {
  const value = doc.get(override);
  if (value === undefined) return undefined;
  if (value.type !== bsonTypes.string) {
    throw new ServerError(17261, 'found language override field in document with non-string type');
  }
  const language = languageNamed(textOf(value));
  if (language !== undefined) return language;
  throw new ServerError(17262, `language override unsupported: ${textOf(value)}`);
}

/** Checks that a document can be in a text index, whose specification is as `listIndexes` shows it. */
export function checkTextKeys(spec: RawDocument, doc: RawDocument): void {
  visitTexts(textIndexOf(spec), doc, () => {});
}
