import { wholeSeconds } from '../dates.ts';
import { type EntityRule, entityRule } from '../entity.ts';
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

/** Links of the entities within an answer. */
export type LinksOf = (rule: EntityRule<never>, entity: unknown) => readonly Link[];

/**
 * Turns what a handler answered into the document that the caller gets: the fields of the schema and no others, in
 * alphabetical order, with defaults, dates in whole seconds, secrets masked. `own` are the document's own links.
 */
export type Presenter = (value: unknown, linksOf: LinksOf, own?: readonly Link[]) => unknown;

const asItIs: Presenter = (value) => value;

export function presenter(schema: object): Presenter {
  return presenterOf(asJsonSchema(schema));
}

function presenterOf(schema: JsonSchema): Presenter {
  const branches = branchesOf(schema);
  if (branches) return alternativePresenter(branches);
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

// JSON knows no bigint, which is how the store reads large integers.
const presentNumber: Presenter = (value) => (typeof value === 'bigint' ? Number(value) : value);

/** A value without a schema of its own. */
const presentFree: Presenter = (value, linksOf) => {
  if (value instanceof Date) return wholeSeconds(value);
  if (Array.isArray(value)) return value.map((item) => presentFree(item, linksOf));
  if (!isPlainObject(value)) return presentNumber(value, linksOf);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, presentFree(value[name], linksOf)]));
};

function alternativePresenter(branches: readonly JsonSchema[]): Presenter {
  const presenters = new Map(branches.map((branch) => [branch, presenterOf(branch)]));
  return (value, linksOf, own) => {
    const branch = branchFor(branches, value);
    const present = branch && presenters.get(branch);
    // A value that no alternative describes is a mistake of the program, and may hold what nobody should see.
    if (present === undefined) throw new TypeError('The answer fits none of the alternatives of its schema');
    return present(value, linksOf, own);
  };
}

function arrayPresenter(items: JsonSchema): Presenter {
  const present = presenterOf(items);
  return (value, linksOf) => {
    if (!Array.isArray(value)) throw new TypeError('The answer holds no array where its schema has one');
    return value.map((item) => present(item, linksOf));
  };
}

/** One field of an object, in its place. */
interface Slot {
  readonly name: string;
  readonly present: Presenter;
  readonly nullable: boolean;
  readonly fallback: unknown;
}

function objectPresenter(schema: JsonSchema): Presenter {
  const shape = objectShape(schema);
  const rule = entityRule(schema as Parameters<typeof entityRule>[0]);
  const links: Slot = { name: 'links', present: asItIs, nullable: false, fallback: undefined };
  // Links come from the edge, unless the schema itself has a field of that name for something else.
  const given = rule === undefined && (shape.properties.has('links') || shape.others !== undefined);
  const slots: Slot[] = [links];
  for (const [name, property] of shape.properties) {
    if (name !== 'links' && property.writeOnly !== true) slots.push(slotOf(name, property));
  }
  slots.sort(byName);
  // Fields that are there before they are set keep the object in its fast form, which halves the time to write it.
  const empty = Object.fromEntries(slots.map(({ name }) => [name, undefined]));
  const others = shape.others && slotOf('', shape.others);
  return (value, linksOf, own) => {
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

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError('The answer holds no object where its schema has one');
  }
  return value as Readonly<Record<string, unknown>>;
}

function withOthers(
  slots: readonly Slot[],
  others: Slot,
  source: Readonly<Record<string, unknown>>,
  named: ReadonlyMap<string, JsonSchema>,
): readonly Slot[] {
  const more = Object.keys(source).filter((name) => name !== 'links' && !named.has(name));
  return [...slots, ...more.map((name) => ({ ...others, name }))].sort(byName);
}

/** By code unit: the order of the reference's answers, where `_id` comes after `Z` and before `a`. */
function byName(left: Slot, right: Slot): number {
  return left.name < right.name ? -1 : 1;
}
