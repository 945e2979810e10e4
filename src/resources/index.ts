import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EventTypes } from '../events/index.ts';
import { eventHandlers } from '../events/index.ts';
import type { TopicHandler } from '../store/index.ts';
import type { Family } from './family.ts';

/** Every family, by listing the folders here: each has an `index` that exports `family`. */
export async function loadFamilies(): Promise<Family[]> {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(folders.map(loadFamily));
}

async function loadFamily(folder: string): Promise<Family> {
  // Source and built package differ by the extension alone.
  const file = join(import.meta.dirname, folder, `index${extname(import.meta.filename)}`);
  const module = (await import(pathToFileURL(file).href)) as { family?: Family };
  if (!module.family) throw new Error(`${file} exports no family`);
  return module.family;
}

/** Every type of event that a family declares. */
export function eventTypesOf(families: readonly Family[]): EventTypes {
  return Object.assign({}, ...families.map(({ eventTypes }) => eventTypes));
}

/** Ids and tags of what is served to others than the operator. */
export function operationNamesOf(families: readonly Family[]): ReadonlySet<string> {
  const served = families
    .flatMap(({ operations }) => operations)
    .filter(({ surface }) => surface !== 'operator');
  return new Set(served.flatMap(({ id, tag }) => [id, tag]));
}

/** Whom the store hands what transactions publish: who subscribed to events, and who hooks into what others do. */
export function handlersOf(families: readonly Family[]): TopicHandler[] {
  const subscriptions = families.flatMap((family) => family.subscriptions ?? []);
  const hooks = families.flatMap((family) => family.hooks ?? []);
  return [...eventHandlers(eventTypesOf(families), subscriptions), ...hooks];
}
