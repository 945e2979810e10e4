import { dirname, resolve } from 'node:path';
import { ConfigError } from '@portolan/foundation/command-line';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { EJSON } from 'bson';
import { readText, type SeedData } from './file.ts';

/** A document of a seed, and where it is: `ships.jsonl, line 3`. */
export interface SeedDocument {
  readonly place: string;
  readonly document: PlainObject;
}

interface Written {
  readonly place: string;
  readonly value: unknown;
}

/**
 * Returns the documents of one entry, with BSON types. `place` is the position of the entry in the seed, and `seedFile`
 * the file of the seed. Throws a `ConfigError` with the position of the first invalid document.
 */
export function documentsOf(
  { documents = [], file }: SeedData,
  place: string,
  seedFile: string | undefined,
): SeedDocument[] {
  const own = documents.map((value, index) => ({ place: `${place}.documents[${index}]`, value }));
  const others = file === undefined ? [] : readDocuments(resolve(seedFile ? dirname(seedFile) : '.', file));
  return [...own, ...others].map(inTypes);
}

/** Reads a file that contains an array, or one document per line. */
function readDocuments(path: string): Written[] {
  const text = readText(path);
  if (!text.trimStart().startsWith('[')) {
    return text
      .split('\n')
      .map((line, index) => ({ line, place: `${path}, line ${index + 1}` }))
      .filter(({ line }) => line.trim() !== '')
      .map(({ line, place }) => ({ place, value: parsed(line, place) }));
  }
  const values = parsed(text, path) as readonly unknown[];
  return values.map((value, index) => ({ place: `${path}[${index}]`, value }));
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${place}: ${(error as Error).message}`);
  }
}

function inTypes({ place, value }: Written): SeedDocument {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigError(`${place} is not a document`);
  try {
    const document = EJSON.deserialize(value as Record<string, never>, { relaxed: true });
    return { place, document: document as PlainObject };
  } catch (error) {
    throw new ConfigError(`${place}: ${(error as Error).message}`);
  }
}
