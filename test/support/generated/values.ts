import fc from 'fast-check';
import type { Dice } from '../random.ts';
import type { Schema } from './document.ts';
import type { Pools } from './pools.ts';

/** Generates values that are valid according to a schema. */
export class Values {
  readonly #dice: Dice;
  readonly #pools: Pools;
  readonly #resolve: (schema: Schema) => Schema;

  constructor(dice: Dice, pools: Pools, resolve: (schema: Schema) => Schema) {
    this.#dice = dice;
    this.#pools = pools;
    this.#resolve = resolve;
  }

  of(reference: Schema, name: string, depth = 0): unknown {
    const schema = this.#resolve(reference);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches && !schema.allOf) return this.of(this.#pick(branches), name, depth);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => this.of(part, name, depth)));
    if ('const' in schema) return schema.const;
    if (schema.enum) return this.#pick(schema.enum);
    switch (this.#typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, name, depth);
      case 'integer':
        return this.#number(schema, name);
      case 'number':
        return this.#dice.below(4) === 0 ? this.#number(schema, name) + 0.5 : this.#number(schema, name);
      case 'boolean':
        return this.#dice.below(2) === 0;
      case 'string':
        return this.#text(schema, name);
      default:
        return null;
    }
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#dice.below(items.length)] as T;
  }

  /** Chooses a type. Most optional fields permit null, but null should be rare. */
  #typeOf({ type = 'null' }: Schema): string {
    if (typeof type === 'string') return type;
    return this.#dice.below(20) === 0 ? this.#pick(type) : (type.find((one) => one !== 'null') ?? 'null');
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, depth: number): unknown {
    const chosen = Object.entries(properties).filter(([name, member]) => {
      if (required.includes(name)) return true;
      if (this.#resolve(member).readOnly === true || member.readOnly === true)
        return this.#dice.below(60) === 0;
      return this.#dice.below(10) < (depth === 0 ? 3 : 5);
    });
    const fields = chosen.map(([name, member]) => [name, this.of(member, name, depth + 1)]);
    if (typeof additionalProperties === 'object') {
      fields.push([
        this.#pools.text('key', this.#dice) ?? 'key',
        this.of(additionalProperties, 'key', depth + 1),
      ]);
    }
    return Object.fromEntries(fields);
  }

  #array({ items = {}, minItems = 0, maxItems = 500, uniqueItems }: Schema, name: string, depth: number) {
    const length = Math.min(maxItems, minItems + this.#dice.below(depth > 3 ? 2 : 3));
    const made = Array.from({ length }, () => this.of(items, name, depth + 1));
    return uniqueItems === true ? [...new Map(made.map((one) => [JSON.stringify(one), one])).values()] : made;
  }

  #number({ minimum, maximum }: Schema, name: string): number {
    const known = this.#pools.number(name, this.#dice);
    const fits = (value: number) => value >= (minimum ?? value) && value <= (maximum ?? value);
    if (known !== undefined && fits(known) && this.#dice.below(3) > 0) return known;
    if (minimum !== undefined && this.#dice.below(3) === 0) return minimum;
    if (maximum !== undefined && this.#dice.below(3) === 0) return maximum;
    const least = minimum ?? -10;
    return least + this.#dice.below(Math.min((maximum ?? least + 1000) - least, 2 ** 31) + 1);
  }

  #text(schema: Schema, name: string): string {
    if (schema.format === 'date-time') return this.#date();
    const known = this.#pools.text(name, this.#dice);
    if (known !== undefined && this.#dice.below(5) > 0 && fitsText(schema, known)) return known;
    if (schema.format === 'email') return `${this.#pools.fresh('p')}@harbour.example`;
    if (schema.pattern !== undefined) return this.#pick(matching(schema));
    const least = schema.minLength ?? 0;
    const most = Math.min(schema.maxLength ?? 100, 2000);
    const text = this.#pools.fresh('t');
    if (this.#dice.below(8) === 0) return this.#letters(least);
    if (this.#dice.below(8) === 0) return this.#letters(most);
    return text.length < least ? text.padEnd(least, 'x') : text.slice(0, most);
  }

  /** Returns random letters, since a password must not consist of a single repeated one. */
  #letters(length: number): string {
    return Array.from({ length }, () => String.fromCodePoint(this.#pick(alphabet))).join('');
  }

  /** Returns a date. It is usually a few days from now, since the service rejects many dates that are further away. */
  #date(): string {
    const days = this.#dice.below(6) === 0 ? this.#dice.below(4000) - 2000 : this.#dice.below(7);
    return new Date(Date.now() + days * 86_400_000 + 3_600_000).toISOString();
  }
}

const alphabet = [0x61, 0x6b, 0x51, 0x37, 0x2d, 0x5f, 0x20, 0x2e, 0x40, 0xe4, 0x4e2d, 0x1f6a2];

function fitsText(
  { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema,
  text: string,
): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

const made = new Map<string, readonly string[]>();
const plain = ['Elida', 'a', 'harbour-1', 'SE', 'x'.repeat(64), 'Ärlig 2', '+46 8 123 45', '7.0', 'read_all'];

/** Texts that match a pattern: generated texts, if the library supports the pattern, and common texts that match. */
function matching(schema: Schema): readonly string[] {
  const pattern = schema.pattern ?? '';
  const key = JSON.stringify([pattern, schema.minLength, schema.maxLength]);
  let texts = made.get(key);
  if (!texts) {
    texts = [...plain, ...sampled(pattern)].filter((text) => fitsText(schema, text));
    if (texts.length === 0) throw new Error(`No text fits ${key}`);
    made.set(key, texts);
  }
  return texts;
}

function sampled(pattern: string): string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 12, seed: 1852 });
  } catch {
    // Ignore the error, since the library does not support Unicode properties.
    return [];
  }
}
