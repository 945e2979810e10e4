import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, nullValue, textOf, type Value } from '../../bson/value.ts';
import { readsInput, stagesIn } from '../../language/pipeline/stage-access.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import type { CommandRequest } from '../context/request.ts';
import { bypassing, collectionOf } from '../shared/namespace.ts';

/**
 * Returns the privileges that a pipeline requires: to read every collection that the pipeline and its nested
 * pipelines read, and to write its output. Malformed parts are skipped, because a malformed pipeline is rejected
 * before it runs.
 */
export function privilegesOfPipeline(request: CommandRequest): readonly Privilege[] {
  const { body, database } = request;
  const specs = stagesIn(body.get('pipeline'));
  const first = specs[0]?.first();
  const { onSource } = (first && describeStage(first.name)?.access) ?? readsInput;
  return [
    ...onSource(first ?? nullValue, database, collectionOf(request)),
    ...specs.flatMap((spec) => privilegesOfStage(spec, database)),
    ...privilegesToBypass(request, specs.at(-1)?.first()),
  ];
}

/**
 * Returns the privilege on the output collection that `bypassDocumentValidation` requires. With this option, the
 * pipeline can write documents that the validator of the output collection rejects.
 */
function privilegesToBypass(request: CommandRequest, last: Element | undefined): readonly Privilege[] {
  const writes = last && describeStage(last.name)?.access.writes;
  return writes === undefined
    ? []
    : actionsOn(bypassing(request), writes.target(last as Element), request.database);
}

/** True if the last stage writes. */
export function pipelineWrites({ body }: CommandRequest): boolean {
  const last = stagesIn(body.get('pipeline')).at(-1)?.first();
  return last !== undefined && describeStage(last.name)?.access.writes !== undefined;
}

function privilegesOfStage(spec: RawDocument, database: string): Privilege[] {
  const stage = spec.first();
  const access = stage && describeStage(stage.name)?.access;
  // A stage without a descriptor does not compile, so the pipeline is rejected later.
  if (stage === undefined || access === undefined) return [];
  const { writes } = access;
  return [
    ...access.reads(stage).flatMap((source) => actionsOn(['find'], source, database)),
    ...access.pipelines(stage).flatMap((specs) => specs.flatMap((each) => privilegesOfStage(each, database))),
    ...(writes === undefined ? [] : actionsOn(writes.actions, writes.target(stage), database)),
    ...access.besides(stage, database),
  ];
}

/** Returns the privileges for actions on a collection. `target` is its name or `{db, coll}`. */
function actionsOn(actions: readonly string[], target: Value, database: string): Privilege[] {
  const on = namespaceOf(target, database);
  return actions.map((action) => ({ action, ...on }));
}

function namespaceOf(target: Value, database: string): { database: string; collection: string } {
  if (target.type === bsonTypes.string) return { database, collection: textOf(target) };
  if (target.type !== bsonTypes.object) return { database, collection: '' };
  const text = (name: string) => {
    const value = documentOf(target).get(name);
    return value?.type === bsonTypes.string ? textOf(value) : undefined;
  };
  return { database: text('db') ?? database, collection: text('coll') ?? '' };
}
