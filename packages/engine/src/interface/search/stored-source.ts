import { SearchDefinitionError } from './error.ts';
import type { StoredSource } from './field-types.ts';
import { Reader, textElement } from './reading.ts';

export function storedSource(value: unknown, path: string): StoredSource {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  const reader = new Reader(value, path);
  const include = reader.optionalList('include', fieldPath);
  const exclude = reader.optionalList('exclude', fieldPath);
  reader.done();
  if ((include === undefined) === (exclude === undefined)) {
    throw new SearchDefinitionError(path, 'must have exactly one of [include, exclude]');
  }
  for (const [name, list] of Object.entries({ include, exclude })) {
    if (list?.length === 0) throw new SearchDefinitionError(reader.at(name), 'cannot be empty');
  }
  return include === undefined ? { exclude: exclude as readonly string[] } : { include };
}

function fieldPath(value: unknown, path: string): string {
  const text = textElement(value, path);
  if (text === '') throw new SearchDefinitionError(path, 'cannot be empty');
  return text;
}
