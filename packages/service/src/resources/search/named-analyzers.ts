import type { Definition } from './rows.ts';

/** Analyzers that a definition references without defining them; names of fields and sources are not references. */
export function namedAnalyzers(definition: Definition): ReadonlySet<string> {
  const own = new Set(objectsIn(definition.analyzers).map(({ name }) => name));
  const synonyms = objectsIn(definition.synonyms).map(({ analyzer }) => analyzer);
  const names = [...namesAt(definition), ...synonyms, ...namesBelow(definition.mappings)];
  return new Set(names.filter((name) => typeof name === 'string').filter((name) => !own.has(name)));
}

const namesAt = ({ analyzer, searchAnalyzer }: Definition) => [analyzer, searchAnalyzer];

/** References within fields and their subfields. */
function namesBelow(mappings: unknown): unknown[] {
  const fields = valuesOf(objectsIn([mappings])[0]?.fields);
  return fields
    .flatMap(objectsIn)
    .flatMap((field) => [
      ...namesAt(field),
      ...objectsIn(valuesOf(field.multi)).flatMap(namesAt),
      ...namesBelow(field),
    ]);
}

function valuesOf(value: unknown): unknown[] {
  return objectsIn(value).flatMap((one) => Object.values(one));
}

/** A list of objects, or a single one; other values are ignored. */
function objectsIn(value: unknown): Definition[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is Definition => typeof one === 'object' && one !== null);
}
