import { bsonTypes, typeName } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { relaxedJsonOf } from '../bson/extended-json.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import type { Element, Value } from '../bson/value.ts';

/** An attribute of a log line, truncated to a maximum length. */
export interface CutAttribute {
  readonly kept: RawDocument;
  /** The path of the first value that did not fit, with its type and its size in bytes. Absent if everything fits. */
  readonly truncated?: object;
}

/** Maximum number of JSON characters per byte of a value and its name. */
const CHARACTERS_PER_BYTE = 16;

/** Keeps as much of the attribute as fits into `longest` characters of JSON. The result is valid JSON. */
export function cutAttribute(attribute: RawDocument, longest: number): CutAttribute {
  if (attribute.length * CHARACTERS_PER_BYTE <= longest) return { kept: attribute };
  const { kept, truncated } = fitEntries(attribute, false, { left: longest });
  return { kept, ...(truncated === undefined ? {} : { truncated }) };
}

interface Budget {
  left: number;
}

interface Fitted {
  readonly kept: Value | undefined;
  readonly truncated?: object;
}

function fit(value: Value, budget: Budget): Fitted {
  const size = value.end - value.start;
  if (value.type === bsonTypes.object || value.type === bsonTypes.array) {
    // Check the budget for empty containers, too. Otherwise, an attribute that contains only empty containers would
    // always fit.
    if (budget.left < 2) return { kept: undefined, truncated: { type: typeName(value.type), size } };
    const fitted = fitEntries(documentOf(value), value.type === bsonTypes.array, budget);
    return { ...fitted, kept: fitted.kept.toValue(value.type) };
  }
  // Do not convert a very long value. It cannot fit, because a character has at most three bytes.
  const isLong = size > budget.left * 3 + 100;
  budget.left -= isLong ? size : relaxedJsonOf(value).length;
  if (budget.left >= 0) return { kept: value };
  return { kept: undefined, truncated: { type: typeName(value.type), size } };
}

/** Keeps the entries of a container before the first entry that does not fit. */
function fitEntries(container: RawDocument, isArray: boolean, budget: Budget) {
  budget.left -= 2;
  const whole: Element[] = [];
  for (const entry of container) {
    budget.left -= isArray ? 1 : entry.name.length + 4;
    const { kept, truncated } = fit(entry, budget);
    if (truncated === undefined) {
      whole.push(entry);
      continue;
    }
    const partial = writeDocument((writer) => {
      for (const one of whole) writer.element(one);
      if (kept !== undefined) writer.field(entry.name, kept);
    });
    return { kept: partial, truncated: { [entry.name]: truncated } };
  }
  return { kept: container };
}
