import { systemRandom } from '@portolan/foundation/random';
import type { Comparison } from '../bson/collation/comparison.ts';
import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { type Statement, unwatched } from '../statement/statement.ts';
import type { FieldReads } from './field-reads.ts';
import type { Folding } from './folding.ts';
import type { Matching } from './patterns/pattern.ts';
import type { Scripts } from './scripts.ts';
import type { Workspace } from './workspace.ts';

/** The environment of an operation's expressions, filters and stages. */
export interface Environment {
  /** The statement that evaluates the expressions. */
  readonly statement: Statement;
  /** Variables that are constant throughout the operation, including those of the command's `let`. */
  readonly constants: ReadonlyMap<string, Value | undefined>;
  /**
   * Collects constant expressions, so that they can be evaluated before documents are read. If absent, a constant is
   * evaluated when its value is first needed.
   */
  readonly folding?: Folding;
  /**
   * Functions that return the values of constant system variables, by name. Unavailable variables are
   * omitted.
   */
  readonly system?: ReadonlyMap<string, () => Value>;
  /** If true, expressions are evaluated without a document, so they cannot read fields. */
  readonly rootless?: boolean;
  /** Returns a number in [0, 1), for `$rand`, `$sample` and `$sampleRate`. */
  readonly random?: () => number;
  /**
   * Returns the text, 2d and 2dsphere indexes of the queried collection in the format of `listIndexes`.
   * Undefined if the operation queries no collection.
   */
  readonly specialIndexes?: () => readonly RawDocument[];
  /** Names of the document metadata that the query provides. */
  readonly metadata?: ReadonlySet<string>;
  /**
   * The `$$SEARCH_META` of the search at the start of the pipeline. Its value is set once the search has run.
   */
  readonly searchMeta?: { value: Value | undefined };
  /** Collects the metadata that expressions request. */
  readonly asked?: Set<string>;
  /** Collects the document fields that expressions read. */
  readonly reads?: FieldReads;
  /** Compares values; if absent, strings compare by bytes. */
  readonly comparison?: Comparison;
  /** The memory limits and the temporary files of stages. If absent, stages use memory only. */
  readonly workspace?: Workspace;
  /** Runs the scripts of the operation; absent where scripts are not allowed. */
  readonly scripts?: Scripts;
  /** True if filters belong to a pipeline, where they must not run scripts. */
  readonly inPipeline?: boolean;
  /** Returns true if the operation is restricted to API Version 1. */
  readonly strictApi?: () => boolean;
  /** Matches the regular expressions of filters. If absent, a backtracking matcher like that of the server is used. */
  readonly matching?: Matching;
  /** Documents for which an `$expr` throws: `noMatch` if they do not match. If absent, the operation fails. */
  readonly failedExpressions?: 'noMatch';
  /** If true, schemas must not contain keywords for client-side encryption. */
  readonly withoutEncryption?: boolean;
  /** If true, filters must not contain near conditions. */
  readonly withoutNear?: boolean;
}

export const noEnvironment: Environment = { statement: unwatched, constants: new Map() };

const ownRandom = systemRandom();

/** Returns the operation's source of random numbers in [0, 1), or the default source. */
export function fractionsOf({ random = ownRandom.fraction }: Environment): () => number {
  return random;
}
