import { typeName } from '../bson/bson-types.ts';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { jsonOf } from './lines.ts';

/** An attribute of a log line, cut to a maximum length. */
export interface CutAttribute {
  readonly kept: object;
  /** The path to the first value that did not fit, with its type and size in bytes; absent if everything fits. */
  readonly truncated?: object;
}

/** Keeps as much as fits into `longest` characters of JSON; the line remains valid JSON. */
export function cutAttribute(attribute: object, longest: number): CutAttribute {
  const { kept, truncated } = fit(attribute, { left: longest });
  return { kept: kept as object, ...(truncated === undefined ? {} : { truncated }) };
}

interface Budget {
  left: number;
}

interface Fitted {
  readonly kept: unknown;
  readonly truncated?: object;
}

function fit(value: unknown, budget: Budget): Fitted {
  if (isContainer(value)) return fitEntries(value, budget);
  // For a very long string its length alone decides, without serializing it.
  const isLong = typeof value === 'string' && value.length > budget.left;
  budget.left -= isLong ? value.length : (jsonOf(value)?.length ?? 0);
  return budget.left >= 0 ? { kept: value } : { kept: undefined, truncated: measured(value) };
}

/** A container that does not fit keeps the entries before the first that does not fit. */
function fitEntries(container: object, budget: Budget): Fitted {
  const isArray = Array.isArray(container);
  budget.left -= 2;
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(container)) {
    budget.left -= isArray ? 1 : name.length + 4;
    const fitted = fit(value, budget);
    if (fitted.kept !== undefined) kept.push([name, fitted.kept]);
    if (fitted.truncated === undefined) continue;
    const partial = isArray ? kept.map(([, entry]) => entry) : Object.fromEntries(kept);
    return { kept: partial, truncated: { [name]: fitted.truncated } };
  }
  return { kept: container };
}

/** A plain document or array, not an object of another class. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function measured(value: unknown): { readonly type: string; readonly size: number } {
  const element = new RawDocument(encodeDocument({ value })).first();
  return { type: typeName(element?.type), size: element === undefined ? 0 : element.end - element.start };
}
