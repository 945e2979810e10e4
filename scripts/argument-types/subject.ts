import { DocumentWriter } from '../../packages/engine/src/bson/document-writer.ts';
import { Value } from '../../packages/engine/src/bson/value.ts';
import { bsonOf } from './values.ts';

/**
 * The commands that the matrix (see `page.ts`) tests. Each command has a placeholder, which is replaced by one value
 * after another.
 */

/** A document of a command as these files write it: values of JavaScript and BSON, and the placeholder. */
export type Shape = { readonly [name: string]: unknown };

/** The placeholder for the value under test. */
export const hole = Symbol('hole');

export interface Subject {
  /** The page with the answers. */
  readonly page: string;
  /** The command, stage or operator that has the argument. */
  readonly of: string;
  /** The path of the argument; empty for the operand itself. */
  readonly field: string;
  readonly command: Shape;
  /** Commands that restore the initial state if the command succeeds. */
  readonly after?: readonly Shape[];
  /** Whether to send the command to a router. */
  readonly router?: boolean;
}

/** Returns the bytes of a command, with a value in place of the placeholder. */
export function filled(shape: Shape, value: Value): Uint8Array {
  const writer = new DocumentWriter();
  writeDocument(writer, shape, value);
  return writer.finish();
}

function writeDocument(writer: DocumentWriter, shape: Shape | readonly unknown[], value: Value): void {
  const start = writer.begin();
  for (const [name, entry] of Object.entries(shape)) write(writer, name, entry, value);
  writer.end(start);
}

function write(writer: DocumentWriter, name: string, entry: unknown, value: Value): void {
  if (entry === hole) writer.field(name, value);
  else if (entry instanceof Value) writer.field(name, entry);
  else if (Array.isArray(entry) || isShape(entry)) {
    writer.head(Array.isArray(entry) ? 4 : 3, name);
    writeDocument(writer, entry, value);
  } else writer.field(name, bsonOf(entry));
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Marks a part of a template whose fields are tested as arguments. */
export class Nested {
  readonly shape: Shape | readonly unknown[];

  constructor(shape: Shape | readonly unknown[]) {
    this.shape = shape;
  }
}

export const nested = (shape: Shape | readonly unknown[]) => new Nested(shape);

/** A path in a template, and the template with the placeholder at that path. */
export interface Holed {
  readonly field: string;
  readonly shape: unknown;
}

/**
 * Returns a copy of the template for each path in it, with the placeholder at this path. Includes the paths in nested
 * parts.
 */
export function holes(template: unknown, at = ''): Holed[] {
  const here: Holed = { field: at, shape: hole };
  if (!(template instanceof Nested)) return [here];
  const { shape } = template;
  const below = Object.entries(shape).flatMap(([name, entry]) =>
    holes(entry, at === '' ? name : `${at}.${name}`).map((holed) => ({
      field: holed.field,
      shape: replaced(shape, name, holed.shape),
    })),
  );
  return [here, ...below];
}

function replaced(shape: Shape | readonly unknown[], name: string, entry: unknown): unknown {
  const entries = Object.entries(shape).map(
    ([key, value]) => [key, key === name ? entry : plain(value)] as const,
  );
  return Array.isArray(shape) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Returns the template without the marks of nested parts. */
function plain(template: unknown): unknown {
  if (!(template instanceof Nested)) return template;
  const entries = Object.entries(template.shape).map(([name, value]) => [name, plain(value)] as const);
  return Array.isArray(template.shape) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
