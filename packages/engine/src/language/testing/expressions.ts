import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Document } from 'bson';
import { describe } from '../../bson/describe.ts';
import type { Value } from '../../bson/value.ts';
import { compileExpression } from '../expression/compile.ts';
import { raw } from './documents.ts';
import { valueFrom } from './values.ts';

/** For tests: an expression, a document, and the expected value; `undefined` means missing. */
export type ExpressionCase = readonly [expression: unknown, doc: Document, expected: unknown];

/** For tests: an expression, a document, the expected error code and, if it matters, the message. */
export type RefusedCase = readonly [expression: unknown, doc: Document, code: number, message?: string];

function evaluate(expression: unknown, doc: Document): Value | undefined {
  return compileExpression(valueFrom(expression)).evaluate({ root: raw(doc) });
}

/** Compares the types as well, so 1 and 1.0 differ. */
export function assertValues(cases: readonly ExpressionCase[]): void {
  for (const [expression, doc, expected] of cases) {
    const value = evaluate(expression, doc);
    const same = expected === undefined ? value === undefined : value?.identical(valueFrom(expected));
    const found = value === undefined ? 'missing' : describe(value);
    assert.ok(same, `${inspect(expression, { depth: 9 })} of ${inspect(doc)} is ${found}`);
  }
}

export function assertRefused(cases: readonly RefusedCase[]): void {
  for (const [expression, doc, code, message] of cases) {
    const expected = message === undefined ? { code } : { code, message };
    assert.throws(() => evaluate(expression, doc), expected, inspect(expression, { depth: 9 }));
  }
}
