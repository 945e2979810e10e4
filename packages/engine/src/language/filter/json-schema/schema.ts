import type { Value } from '../../../bson/value.ts';
import type { Statement } from '../../../statement/statement.ts';

/** True if a value satisfies a schema or one of its keywords. */
export type Accepts = (value: Value) => boolean;

/** Compiles a nested schema. */
export type CompileSchema = (schema: Value, keyword: string) => Accepts;

interface SchemaContext {
  readonly compile: CompileSchema;
  readonly sibling: (name: string) => Value | undefined;
  /** The statement that compiles the schema and later tests values. */
  readonly statement: Statement;
  /** True if the schema may have keywords for client-side encryption. */
  readonly encryption: boolean;
}

/** Validates and compiles the operand of a keyword. `sibling` returns other keywords of the same schema. */
export type CompileKeyword = (operand: Value, context: SchemaContext) => Accepts;

export type KeywordTable = Readonly<Record<string, CompileKeyword>>;
