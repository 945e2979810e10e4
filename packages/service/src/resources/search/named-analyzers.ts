import type { Definition } from './rows.ts';

/** Names of the analyzers that a definition names and does not define itself: fields and sources may have such names, too. */
export function namedAnalyzers(definition: Definition): ReadonlySet<string> {
  const own = new Set(objectsIn(definition.analyzers).map(({ name }) => name));
  const synonyms = objectsIn(definition.synonyms).map(({ analyzer }) => analyzer);
  const names = [...namesAt(definition), ...synonyms, ...namesBelow(definition.mappings)];
  return new Set(names.filter((name) => typeof name === 'string').filter((name) => !own.has(name)));
}

const namesAt = ({ analyzer, searchAnalyzer }: Definition) => [analyzer, searchAnalyzer];

/** Of fields, and of what is inside of them. */
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

/** Several, or one; whatever else there is names nothing. */
function objectsIn(value: unknown): Definition[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is Definition => typeof one === 'object' && one !== null);
}
