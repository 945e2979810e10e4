import type { Value } from '../../../bson/value.ts';

/** True if a value satisfies a schema or one of its keywords. */
export type Accepts = (value: Value) => boolean;

/** Compiles a nested schema. */
export type CompileSchema = (schema: Value, keyword: string) => Accepts;

/** Validates the operand of a keyword; `sibling` returns the keywords next to it. */
export type CompileKeyword = (
  operand: Value,
  context: { readonly compile: CompileSchema; readonly sibling: (name: string) => Value | undefined },
) => Accepts;

export type KeywordTable = Readonly<Record<string, CompileKeyword>>;
