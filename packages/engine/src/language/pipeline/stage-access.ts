import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';

/** A privilege that the caller needs. */
export interface NeededPrivilege {
  readonly action: string;
  readonly database?: string;
  readonly collection?: string;
}

/**
 * What a stage reads and writes, and which privileges it needs. The methods must accept specifications that are not
 * validated yet.
 */
export interface StageAccess {
  /**
   * The privileges that the stage needs on the source if it is the first stage. `collection` is empty for `{aggregate:
   * 1}`.
   */
  onSource(stage: Value, database: string, collection: string): readonly NeededPrivilege[];
  /**
   * The other collections that the stage reads. Each is written as in the specification: a name or `{db,
   * coll}`.
   */
  reads(stage: Element): readonly Value[];
  /** The nested pipelines. */
  pipelines(stage: Element): ReadonlyArray<readonly RawDocument[]>;
  readonly writes: StageWrites | undefined;
  /** Privileges that the stage needs at any position. */
  besides(stage: Element, database: string): readonly NeededPrivilege[];
}

interface StageWrites {
  readonly actions: readonly string[];
  /** The target collection, written as in the specification. */
  target(stage: Element): Value;
}

const nothing = (): readonly never[] => [];

function onCollection(action: string): StageAccess['onSource'] {
  return (_stage, database, collection) => (collection === '' ? [] : [{ action, database, collection }]);
}

/** A stage that reads only the documents of the source. */
export const readsInput: StageAccess = {
  onSource: onCollection('find'),
  reads: nothing,
  pipelines: nothing,
  writes: undefined,
  besides: nothing,
};

/**
 * Returns the access of a stage that needs the privilege `action` on the source instead of the privilege to read it.
 */
export function needsOnCollection(action: string): StageAccess {
  return { ...readsInput, onSource: onCollection(action) };
}

/** Returns the options of a stage; empty if the specification is not a document. */
export function optionsOf(stage: Value): RawDocument {
  return stage.type === bsonTypes.object ? documentOf(stage) : RawDocument.empty;
}

/** Returns the stages of a pipeline and ignores invalid entries. */
export function stagesIn(pipeline: Value | undefined): RawDocument[] {
  if (pipeline?.type !== bsonTypes.array) return [];
  return entriesOf(pipeline)
    .filter(({ type }) => type === bsonTypes.object)
    .map(documentOf);
}

export function given(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}

/** A stage that also reads the collection `from`, possibly through a pipeline. */
export const readsFrom: StageAccess = {
  ...readsInput,
  reads: (stage) => given(optionsOf(stage).get('from')),
  pipelines: (stage) => [stagesIn(optionsOf(stage).get('pipeline'))],
};
