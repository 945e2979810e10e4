import type { Value } from '../../../bson/value.ts';

/** Whether a value is as a schema, or one keyword of it, wants it. */
export type Accepts = (value: Value) => boolean;

/** Schemas in schemas. */
export type CompileSchema = (schema: Value, keyword: string) => Accepts;

/** Checks the operand of a keyword. `siblings` gives the keywords beside it. */
export type CompileKeyword = (
  operand: Value,
  context: { readonly compile: CompileSchema; readonly sibling: (name: string) => Value | undefined },
) => Accepts;

export type KeywordTable = Readonly<Record<string, CompileKeyword>>;
