import { systemRandom } from '@portolan/foundation/random';
import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import type { FieldReads } from '../field-reads.ts';
import type { Matching } from '../patterns/pattern.ts';
import type { Scripts } from '../scripts.ts';
import type { Workspace } from '../spill/workspace.ts';

/** What the operation around gives to expressions. */
export interface Environment {
  /** The statement that evaluates them. */
  readonly statement: Statement;
  /** Variables that have one value for the whole operation: those of the command's `let` among them. */
  readonly constants: ReadonlyMap<string, Value | undefined>;
  /** The system's variables that have one too; absent where they cannot be read. */
  readonly system?: ReadonlyMap<string, () => Value>;
  /** There is no document yet whose fields could be read. */
  readonly rootless?: boolean;
  /** A number from 0 up to 1, for `$rand`, `$sample` and `$sampleRate`. */
  readonly random?: () => number;
  /**
   * Specifications of the text, 2d and 2dsphere indexes of the collection that is asked, as `listIndexes` shows
   * them; absent where there is no collection.
   */
  readonly specialIndexes?: () => readonly RawDocument[];
  /** What a query tells about documents besides their fields. */
  readonly metadata?: ReadonlySet<string>;
  /** What a search at the beginning of the pipeline has told of all that it found, once it has run. */
  readonly searchMeta?: { value: Value | undefined };
  /** Gathers what expressions ask of that. */
  readonly asked?: Set<string>;
  /** Gathers which fields of documents expressions look at. */
  readonly reads?: FieldReads;
  /** How values compare; absent: by their bytes. */
  readonly comparison?: Comparison;
  /** Where stages keep what they hold; absent: in memory alone. */
  readonly workspace?: Workspace;
  /** Runs the scripts of the operation; absent where none are allowed. */
  readonly scripts?: Scripts;
  /** Filters are those of a pipeline, which runs no scripts for them. */
  readonly inPipeline?: boolean;
  /** The operation keeps to API Version 1. */
  readonly strictApi?: () => boolean;
  /** How patterns of filters match; absent: as the server's do, going back. */
  readonly matching?: Matching;
  /** Filters cannot ask for an order by distance. */
  readonly withoutNear?: boolean;
}

export const noEnvironment: Environment = { statement: unwatched, constants: new Map() };

const ownRandom = systemRandom();

/** Numbers from 0 up to 1: those of the operation, where there is one. */
export function fractionsOf({ random = ownRandom.fraction }: Environment): () => number {
  return random;
}
