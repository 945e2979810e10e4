import type { PlainObject } from '@portolan/foundation/plain-object';
import { wholeSeconds } from '../dates.ts';
import { type EntityRule, entityRule } from '../entity.ts';
import { WrittenJson } from '../written-json.ts';
import {
  asJsonSchema,
  branchesOf,
  branchFor,
  isObjectSchema,
  isPlainObject,
  type JsonSchema,
  mayHold,
  objectShape,
} from './json-schema.ts';
import { mask } from './mask.ts';

export interface Link {
  readonly href: string;
  readonly rel: string;
}

/** Returns the links of a nested entity; undefined for a document that represents no entity. */
export interface LinksOf {
  (rule: EntityRule<never>, entity: unknown): readonly Link[] | undefined;
  /**
   * Called for each long list. `fill` presents the items between two indexes. Until `fill` runs, the document
   * lacks these items. Without `later`, long lists are presented at once.
   */
  readonly later?: (count: number, fill: (from: number, to: number) => void) => void;
}

/**
 * Converts a handler's result to the document of a response. The document contains only fields of the schema, in
 * alphabetical order (except in verbatim values). It has defaults, dates in whole seconds, and masked secrets. `own`
 * are the links of the document itself.
 */
export type Presenter = (value: unknown, linksOf: LinksOf, own?: readonly Link[]) => unknown;

const asItIs: Presenter = (value) => value;

export function presenter(schema: object): Presenter {
  return presenterOf(asJsonSchema(schema));
}

function presenterOf(schema: JsonSchema): Presenter {
  if (schema['x-verbatim']) return asItIs;
  const branches = branchesOf(schema);
  if (branches) return unlessUnlinked(schema, alternativePresenter(branches));
  if (isObjectSchema(schema)) return objectPresenter(schema);
  if (schema.type === 'array') return arrayPresenter(schema.items ?? {});
  const kind = schema['x-mask'];
  if (kind) return (value) => mask(kind, String(value));
  if (schema.format === 'date-time') return presentDate;
  if (schema.type === 'integer' || schema.type === 'number') return presentNumber;
  if (schema.type === undefined && schema.const === undefined && schema.enum === undefined)
    return presentFree;
  return asItIs;
}

const presentDate: Presenter = (value) =>
  value instanceof Date ? wholeSeconds(value) : String(value).replace(/\.\d+Z$/, 'Z');

// Converts a bigint to a number, because JSON has no bigint. The store returns large integers as bigint.
const presentNumber: Presenter = (value) => (typeof value === 'bigint' ? Number(value) : value);

/** Presents a value without a schema. */
const presentFree: Presenter = (value, linksOf) => {
  if (value instanceof Date) return wholeSeconds(value);
  if (Array.isArray(value)) return value.map((item) => presentFree(item, linksOf));
  if (!isPlainObject(value)) return presentNumber(value, linksOf);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, presentFree(value[name], linksOf)]));
};

/** If an entity has no links, makes the presenter of its alternatives omit links, too. */
function unlessUnlinked(schema: JsonSchema, present: Presenter): Presenter {
  return ruleOf(schema)?.isUnlinked ? (value, linksOf) => present(value, linksOf) : present;
}

const ruleOf = (schema: JsonSchema) => entityRule(schema as Parameters<typeof entityRule>[0]);

function alternativePresenter(branches: readonly JsonSchema[]): Presenter {
  const presenters = new Map(branches.map((branch) => [branch, presenterOf(branch)]));
  return (value, linksOf, own) => {
    const branch = branchFor(branches, value);
    const present = branch && presenters.get(branch);
    // A value that matches no alternative is a bug. The message omits the value, which may be confidential.
    if (present === undefined)
      throw new TypeError('The reply matches none of the alternatives of its schema');
    return present(value, linksOf, own);
  };
}

/** Lists of at most this length are never presented later. */
const SHORT = 100;

function arrayPresenter(items: JsonSchema): Presenter {
  const present = presenterOf(items);
  return (value, linksOf) => {
    if (!Array.isArray(value)) throw new TypeError('The reply has no array where its schema has one');
    if (linksOf.later === undefined || value.length <= SHORT)
      return value.map((item) => present(item, linksOf));
    const made: unknown[] = [];
    linksOf.later(value.length, (from, to) => {
      for (const item of value.slice(from, to)) made.push(present(item, linksOf));
    });
    return made;
  };
}

/** One field of an object. */
interface Slot {
  readonly name: string;
  readonly present: Presenter;
  readonly nullable: boolean;
  readonly fallback: unknown;
}

function objectPresenter(schema: JsonSchema): Presenter {
  const shape = objectShape(schema);
  const rule = ruleOf(schema);
  const links: Slot = { name: 'links', present: asItIs, nullable: false, fallback: undefined };
  // Do not add links to a schema that declares a field named `links` itself.
  const given = rule === undefined && (shape.properties.has('links') || shape.others !== undefined);
  const slots: Slot[] = rule?.isUnlinked ? [] : [links];
  for (const [name, property] of shape.properties) {
    if (name !== 'links' && property.writeOnly !== true) slots.push(slotOf(name, property));
  }
  slots.sort(byName);
  // Create objects with all fields at once. They then share a hidden class, which halves the time to serialize them.
  const empty = Object.fromEntries(slots.map(({ name }) => [name, undefined]));
  const others = shape.others && slotOf('', shape.others);
  return (value, linksOf, own) => {
    if (value instanceof WrittenJson) return value;
    const source = fieldsOf(value);
    const made = own ?? (rule && linksOf(rule, value));
    const wanted = others ? withOthers(slots, others, source, shape.properties) : slots;
    const document: Record<string, unknown> = wanted === slots ? { ...empty } : {};
    for (const slot of wanted) {
      const field = slot === links ? (made ?? (given ? source.links : undefined)) : source[slot.name];
      if (field !== undefined && field !== null) document[slot.name] = slot.present(field, linksOf);
      else if (field === null && slot.nullable) document[slot.name] = null;
      else if (slot.fallback !== undefined) document[slot.name] = slot.fallback;
    }
    return document;
  };
}

function slotOf(name: string, schema: JsonSchema): Slot {
  return { name, present: presenterOf(schema), nullable: mayHold(schema, null), fallback: schema.default };
}

function fieldsOf(value: unknown): PlainObject {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError('The reply has no object where its schema has one');
  }
  return value as PlainObject;
}

function withOthers(
  slots: readonly Slot[],
  others: Slot,
  source: PlainObject,
  named: ReadonlyMap<string, JsonSchema>,
): readonly Slot[] {
  const more = Object.keys(source).filter((name) => name !== 'links' && !named.has(name));
  return [...slots, ...more.map((name) => ({ ...others, name }))].sort(byName);
}

/** Compares by code unit, so `_id` comes after `Z` and before `a`. */
function byName(left: Slot, right: Slot): number {
  return left.name < right.name ? -1 : 1;
}
