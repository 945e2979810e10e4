import type { Definition } from './rows.ts';

/**
 * Returns the analyzers that a definition uses without defining them. Ignores the names of fields and of synonym
 * sources.
 */
export function namedAnalyzers(definition: Definition): ReadonlySet<string> {
  const own = new Set(objectsIn(definition.analyzers).map(({ name }) => name));
  const synonyms = objectsIn(definition.synonyms).map(({ analyzer }) => analyzer);
  const names = [...namesAt(definition), ...synonyms, ...namesBelow(definition.mappings)];
  return new Set(names.filter((name) => typeof name === 'string').filter((name) => !own.has(name)));
}

const namesAt = ({ analyzer, searchAnalyzer }: Definition) => [analyzer, searchAnalyzer];

/** Returns the analyzers that fields and their subfields use. */
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

/** Accepts a list of objects or a single object. Ignores all other values. */
function objectsIn(value: unknown): Definition[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is Definition => typeof one === 'object' && one !== null);
}
