import {
  asJsonSchema,
  branchesOf,
  branchFor,
  isObjectSchema,
  isPlainObject,
  type JsonSchema,
  objectShape,
} from '../schema/json-schema.ts';
import { type EntityChanges, fieldWords } from './entities.ts';
import {
  type TextTranslator,
  textTranslator,
  turned,
  type WordDirection,
  type Words,
  type WordTable,
} from './words.ts';

/** Converts a document from the words of declared operations to the words of a dialect, or the reverse. */
export type Translator = (value: unknown) => unknown;

/** A schema in the words of its declaration, and the same schema in the words of the dialect. */
export interface SchemaPair {
  readonly declared: object;
  readonly own: object;
}

/**
 * Compiles the translation of documents of one schema; undefined if none of its words changes. Translates only names of
 * declared fields, values of enumerations, and texts of the fields in `words.texts`. Everything else that users have
 * written stays unchanged.
 */
export function translator(
  { declared, own }: SchemaPair,
  changes: EntityChanges,
  direction: WordDirection,
): Translator | undefined {
  const { words } = changes;
  const texts = Object.entries(words.texts).map(
    ([name, of]) => [name, textTranslator(of, direction)] as const,
  );
  const context: Context = {
    changes,
    words,
    direction,
    fields: words.fields,
    values: turned(words.values, direction),
    texts: new Map(texts),
    compiled: new Map(),
  };
  return compile({ declared: asJsonSchema(declared as never), own: asJsonSchema(own as never) }, context);
}

interface Context {
  readonly changes: EntityChanges;
  readonly words: Words;
  readonly direction: WordDirection;
  /** Names of the fields of the innermost entity. */
  readonly fields: WordTable;
  readonly values: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, TextTranslator>;
  readonly compiled: Map<JsonSchema, Translator | undefined>;
}

interface Pair {
  readonly declared: JsonSchema;
  readonly own: JsonSchema;
}

function compile(pair: Pair, context: Context): Translator | undefined {
  const { declared } = pair;
  if (context.compiled.has(declared)) return context.compiled.get(declared);
  const made = translatorOf(pair, context);
  context.compiled.set(declared, made);
  return made;
}

function translatorOf(pair: Pair, outer: Context): Translator | undefined {
  const { declared, own } = pair;
  const context = { ...outer, fields: fieldWords(outer.changes, declared, outer.fields) };
  if (branchesOf(declared)) return alternatives(pair, context);
  if (isObjectSchema(declared)) return fieldsOf(pair, context);
  if (declared.type === 'array' && declared.items && own.items) {
    const item = compile({ declared: declared.items, own: own.items }, context);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  if (declared.enum ?? 'const' in declared) return enumeration(declared, context);
  return declared.type === undefined ? freeForm(context) : undefined;
}

/**
 * Returns a translation that selects an alternative of the schema for each document. It selects the alternative
 * before it translates the document.
 */
function alternatives({ declared, own }: Pair, context: Context): Translator | undefined {
  const declaredBranches = branchesOf(declared) ?? [];
  const ownBranches = branchesOf(own) ?? [];
  const translators = declaredBranches.map((branch, index) =>
    compile({ declared: branch, own: ownBranches[index] ?? branch }, context),
  );
  if (translators.every((one) => one === undefined)) return undefined;
  const branches = context.direction === 'out' ? declaredBranches : ownBranches;
  return (value) => {
    const branch = branchFor(branches, value);
    const translate = branch && translators[branches.indexOf(branch)];
    return translate ? translate(value) : value;
  };
}

function enumeration(schema: JsonSchema, { words, values }: Context): Translator | undefined {
  const all = schema.enum ?? [schema.const];
  if (!all.some((value) => typeof value === 'string' && Object.hasOwn(words.values, value))) return undefined;
  return (value) => (typeof value === 'string' ? (values.get(value) ?? value) : value);
}

/** One field: its name after the translation, and the translation of its value. */
interface Slot {
  readonly name: string;
  readonly translate: Translator | undefined;
}

function fieldsOf({ declared, own }: Pair, context: Context): Translator | undefined {
  const { fields, direction, texts } = context;
  const declaredShape = objectShape(declared);
  const ownShape = objectShape(own);
  const slots = new Map<string, Slot>();
  for (const [name, property] of declaredShape.properties) {
    const ownName = fields[name] ?? name;
    const inner = compile({ declared: property, own: ownShape.properties.get(ownName) ?? property }, context);
    const text = texts.get(name);
    const translate = text === undefined ? inner : inText(text, inner);
    const [from, to] = direction === 'out' ? [name, ownName] : [ownName, name];
    if (to !== from || translate !== undefined) slots.set(from, { name: to, translate });
  }
  const { others } = declaredShape;
  const other = others && compile({ declared: others, own: ownShape.others ?? others }, context);
  const isFree = others !== undefined && declaredShape.properties.size === 0 && other !== undefined;
  if (isFree && others.type === undefined) return freeForm(context);
  if (slots.size === 0 && other === undefined) return undefined;
  return (value) => {
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).map(([name, field]) => {
      const slot = slots.get(name);
      const translate = slot ? slot.translate : other;
      return [slot?.name ?? name, translate && field !== undefined ? translate(field) : field];
    });
    return Object.fromEntries(entries);
  };
}

/** Translates a text, or each text of a list, also if it is a value of an enumeration. */
function inText(text: TextTranslator, inner: Translator | undefined): Translator {
  const translate: Translator = (value) => {
    if (typeof value === 'string') return text(value);
    return Array.isArray(value) ? value.map(translate) : value;
  };
  return (value) => translate(inner ? inner(value) : value);
}

/** Translates a document without a schema: only the texts of the named fields, at any depth. */
function freeForm({ texts }: Context): Translator | undefined {
  if (texts.size === 0) return undefined;
  const translate: Translator = (value) => {
    if (Array.isArray(value)) return value.map(translate);
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).map(([name, field]) => {
      const text = texts.get(name);
      return [name, text && typeof field === 'string' ? text(field) : translate(field)];
    });
    return Object.fromEntries(entries);
  };
  return translate;
}
