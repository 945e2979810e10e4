import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';

/** An action that the caller must be allowed. */
export interface NeededPrivilege {
  readonly action: string;
  readonly database?: string;
  readonly collection?: string;
}

/** What a stage reads and writes, and what the caller must be allowed for it. Specifications may still be wrong here. */
export interface StageAccess {
  /** As the first stage: on what the pipeline is about. `collection` is empty where it is about none. */
  onSource(stage: Value, database: string, collection: string): readonly NeededPrivilege[];
  /** The collections that it reads, as their names stand in it: a text, or `{db, coll}`. */
  reads(stage: Element): readonly Value[];
  /** The pipelines in it. */
  pipelines(stage: Element): ReadonlyArray<readonly RawDocument[]>;
  readonly writes: StageWrites | undefined;
  /** What it needs besides, wherever it stands. */
  besides(stage: Element, database: string): readonly NeededPrivilege[];
}

interface StageWrites {
  readonly actions: readonly string[];
  /** The collection, as its name stands in the stage. */
  target(stage: Element): Value;
}

const nothing = (): readonly never[] => [];

function onCollection(action: string): StageAccess['onSource'] {
  return (_stage, database, collection) => (collection === '' ? [] : [{ action, database, collection }]);
}

/** Documents of the collection come in; nothing else is read. */
export const readsInput: StageAccess = {
  onSource: onCollection('find'),
  reads: nothing,
  pipelines: nothing,
  writes: undefined,
  besides: nothing,
};

/** Another action on the collection takes the place of reading it. */
export function needsOnCollection(action: string): StageAccess {
  return { ...readsInput, onSource: onCollection(action) };
}

/** The options of a stage, none where it has another form. */
export function optionsOf(stage: Value): RawDocument {
  return stage.type === bsonTypes.object ? documentOf(stage) : RawDocument.empty;
}

/** The stages of a pipeline, passing over what is none. */
export function stagesIn(pipeline: Value | undefined): RawDocument[] {
  if (pipeline?.type !== bsonTypes.array) return [];
  return entriesOf(pipeline)
    .filter(({ type }) => type === bsonTypes.object)
    .map(documentOf);
}

export function given(value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : [value];
}
