import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Family } from './family.ts';

/**
 * Loads all families. A family is a subfolder of this folder with an `index` that exports `family`. In the published
 * package, a generated file imports them by name instead (`scripts/build/bundle.ts`).
 */
export async function loadFamilies(): Promise<Family[]> {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(folders.map(loadFamily));
}

async function loadFamily(folder: string): Promise<Family> {
  const file = join(import.meta.dirname, folder, 'index.ts');
  const module = (await import(pathToFileURL(file).href)) as { family?: Family };
  if (!module.family) throw new Error(`${file} does not export a family`);
  return module.family;
}
