import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, textOf, type Value } from '../../bson/value.ts';
import { plannerError } from '../../errors/planner-error.ts';
import { ServerError } from '../../errors/server-error.ts';
import { kindAt } from '../geo/near.ts';
import { isHidden } from '../geo/nearest.ts';
import { addMetadata } from '../metadata.ts';
import { textIndexOf } from '../text/index-fields.ts';
import { compileSearch } from '../text/score.ts';
import { parseSearch } from '../text/search.ts';
import type { Condition } from './filter.ts';
import type { FilterContext } from './operator.ts';

const expected = {
  $search: 'string',
  $language: 'string',
  $caseSensitive: 'bool',
  $diacriticSensitive: 'bool',
} as const;

/** Compiles `{$text: {$search: …}}`; matching documents get a score. */
export function compileText(operand: Value, { environment }: FilterContext): Condition {
  const spec = readSpec(operand);
  const found = indexIn(environment.specialIndexes?.() ?? []);
  // Text search is not part of API Version 1.
  if (isHidden(found) || environment.strictApi?.() === true) throw noTextIndex();
  const index = textIndexOf(found);
  const language = textOption(spec, '$language') || index.language.name;
  const search = parseSearch(
    textOption(spec, '$search'),
    language,
    {
      caseSensitive: flag(spec, '$caseSensitive'),
      diacriticSensitive: flag(spec, '$diacriticSensitive'),
      version: index.version,
    },
    environment.statement,
  );
  const scorer = compileSearch(index, search, environment.statement);
  return {
    operator: '$text',
    needs: index.prefix,
    matches: (doc) => {
      const textScore = scorer(doc);
      if (textScore === undefined) return false;
      addMetadata(doc, { textScore });
      return true;
    },
  };
}

function readSpec(operand: Value): RawDocument {
  if (operand.type !== bsonTypes.object) throw new ServerError('BadValue', '$text expects an object');
  const spec = documentOf(operand);
  for (const { name, type } of spec) {
    if (!Object.hasOwn(expected, name)) throw new ServerError('BadValue', `extra fields in $text: ${name}`);
    const wanted = expected[name as keyof typeof expected];
    if (typeName(type) !== wanted) {
      throw new ServerError('TypeMismatch', `${name} requires a ${wanted} value`);
    }
  }
  if (spec.has('$search')) return spec;
  throw new ServerError('NoSuchKey', 'Missing required field "$search" in $text query');
}

function textOption(spec: RawDocument, name: string): string {
  const value = spec.get(name);
  return value === undefined ? '' : textOf(value);
}

function flag(spec: RawDocument, name: string): boolean {
  const value = spec.get(name);
  return value !== undefined && boolOf(value);
}

function indexIn(indexes: readonly RawDocument[]): RawDocument {
  const index = indexes.find((spec) => kindAt(spec, '_fts') === 'text');
  if (index !== undefined) return index;
  throw new ServerError('IndexNotFound', 'text index required for $text query');
}

function noTextIndex(): ServerError {
  return plannerError('need exactly one text index for $text query');
}
