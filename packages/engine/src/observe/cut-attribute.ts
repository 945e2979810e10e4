import { typeName } from '../bson/bson-types.ts';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { jsonOf } from './lines.ts';

/** An attribute of a log line as far as there is room for it. */
export interface CutAttribute {
  readonly kept: object;
  /** By the names that lead to it, type and size in bytes of what came first to find no room; absent: all is kept. */
  readonly truncated?: object;
}

/** Keeps what fits into so many characters of JSON: the line stays one that can be parsed. */
export function cutAttribute(attribute: object, longest: number): CutAttribute {
  const { kept, truncated } = fit(attribute, { left: longest });
  return { kept: kept as object, ...(truncated === undefined ? {} : { truncated }) };
}

interface Room {
  left: number;
}

interface Fitted {
  readonly kept: unknown;
  readonly truncated?: object;
}

function fit(value: unknown, room: Room): Fitted {
  if (isContainer(value)) return fitEntries(value, room);
  // Of a text as long as a message the length alone is looked at.
  const isLong = typeof value === 'string' && value.length > room.left;
  room.left -= isLong ? value.length : (jsonOf(value)?.length ?? 0);
  return room.left >= 0 ? { kept: value } : { kept: undefined, truncated: measured(value) };
}

/** What holds the entry that finds no room keeps those before it. */
function fitEntries(container: object, room: Room): Fitted {
  const isArray = Array.isArray(container);
  room.left -= 2;
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(container)) {
    room.left -= isArray ? 1 : name.length + 4;
    const fitted = fit(value, room);
    if (fitted.kept !== undefined) kept.push([name, fitted.kept]);
    if (fitted.truncated === undefined) continue;
    const partial = isArray ? kept.map(([, entry]) => entry) : Object.fromEntries(kept);
    return { kept: partial, truncated: { [name]: fitted.truncated } };
  }
  return { kept: container };
}

/** A document or an array, and no value of another type. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function measured(value: unknown): { readonly type: string; readonly size: number } {
  const element = new RawDocument(encodeDocument({ value })).first();
  return { type: typeName(element?.type), size: element === undefined ? 0 : element.end - element.start };
}
