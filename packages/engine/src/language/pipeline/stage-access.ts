import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';

/** A privilege that the caller needs. */
export interface NeededPrivilege {
  readonly action: string;
  readonly database?: string;
  readonly collection?: string;
}

/** What a stage reads and writes, and the privileges that it needs. Specifications may not have been validated yet. */
export interface StageAccess {
  /** Privileges on the source as the first stage. `collection` is empty for `{aggregate: 1}`. */
  onSource(stage: Value, database: string, collection: string): readonly NeededPrivilege[];
  /** The collections that it reads, as written: a text or `{db, coll}`. */
  reads(stage: Element): readonly Value[];
  /** The nested pipelines. */
  pipelines(stage: Element): ReadonlyArray<readonly RawDocument[]>;
  readonly writes: StageWrites | undefined;
  /** Further privileges, wherever the stage is. */
  besides(stage: Element, database: string): readonly NeededPrivilege[];
}

interface StageWrites {
  readonly actions: readonly string[];
  /** The target collection, as written. */
  target(stage: Element): Value;
}

const nothing = (): readonly never[] => [];

function onCollection(action: string): StageAccess['onSource'] {
  return (_stage, database, collection) => (collection === '' ? [] : [{ action, database, collection }]);
}

/** Reads only the documents of the source collection. */
export const readsInput: StageAccess = {
  onSource: onCollection('find'),
  reads: nothing,
  pipelines: nothing,
  writes: undefined,
  besides: nothing,
};

/** Needs another privilege on the collection instead of reading it. */
export function needsOnCollection(action: string): StageAccess {
  return { ...readsInput, onSource: onCollection(action) };
}

/** The options of a stage; empty if it has another form. */
export function optionsOf(stage: Value): RawDocument {
  return stage.type === bsonTypes.object ? documentOf(stage) : RawDocument.empty;
}

/** The stages of a pipeline; ignores invalid entries. */
export function stagesIn(pipeline: Value | undefined): RawDocument[] {
  if (pipeline?.type !== bsonTypes.array) return [];
  return entriesOf(pipeline)
    .filter(({ type }) => type === bsonTypes.object)
    .map(documentOf);
}

export function given(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}

/** Also reads the collection `from`, possibly through a pipeline. */
export const readsFrom: StageAccess = {
  ...readsInput,
  reads: (stage) => given(optionsOf(stage).get('from')),
  pipelines: (stage) => [stagesIn(optionsOf(stage).get('pipeline'))],
};
