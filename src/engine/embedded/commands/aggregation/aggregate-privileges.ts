import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import { boolOf, textOf, type Value } from '../../bson/value.ts';
import type { CommandRequest } from '../context/request.ts';
import { collectionOf } from '../shared/namespace.ts';

/**
 * What a pipeline needs: to read what it reads, wherever it stands in it, and to write what it writes. Parts that
 * are not what they should be are passed over here: such a pipeline is refused before it runs.
 */
export function privilegesOfPipeline(request: CommandRequest): readonly Privilege[] {
  const { body, database } = request;
  const specs = stagesIn(body.get('pipeline'));
  const collection = collectionOf(request);
  const own = collection === '' ? privilegesToWatch(specs[0], database) : ownPrivileges();
  function ownPrivileges(): readonly Privilege[] {
    // Everybody may see sessions of their own.
    if (specs[0]?.has('$listSessions')) return [];
    return [{ action: ownAction(specs[0]), database, collection }];
  }
  return [...own, ...specs.flatMap((spec) => privilegesOfStage(spec, database))];
}

/** True when the pipeline ends in a stage that writes. */
export function pipelineWrites({ body }: CommandRequest): boolean {
  const last = stagesIn(body.get('pipeline')).at(-1)?.first()?.name;
  return last === '$out' || last === '$merge';
}

/** A stream over a whole database, or over all of them, which is what any database of users stands for. */
function privilegesToWatch(first: RawDocument | undefined, database: string): Privilege[] {
  const stage = first?.first();
  if (stage?.name !== '$changeStream' || stage.type !== bsonTypes.object) return [];
  const all = documentOf(stage).get('allChangesForCluster');
  const isAll = all?.type === bsonTypes.bool && boolOf(all);
  return ['changeStream', 'find'].map((action) => ({
    action,
    database: isAll ? '' : database,
    collection: '',
  }));
}

function ownAction(first: RawDocument | undefined): string {
  const name = first?.first()?.name;
  if (name === '$collStats') return 'collStats';
  if (name === '$changeStream') return 'changeStream';
  if (name === '$planCacheStats') return 'planCacheRead';
  return name === '$indexStats' ? 'indexStats' : 'find';
}

function stagesIn(pipeline: Value | undefined): RawDocument[] {
  if (pipeline?.type !== bsonTypes.array) return [];
  return entriesOf(pipeline)
    .filter(({ type }) => type === bsonTypes.object)
    .map(documentOf);
}

function privilegesOfStage(spec: RawDocument, database: string): Privilege[] {
  const stage = spec.first();
  if (stage === undefined) return [];
  const options = stage.type === bsonTypes.object ? documentOf(stage) : RawDocument.empty;
  const inner = () => stagesIn(options.get('pipeline')).flatMap((each) => privilegesOfStage(each, database));
  switch (stage.name) {
    case '$lookup':
    case '$graphLookup':
      return [...actionsOn(['find'], options.get('from'), database), ...inner()];
    case '$unionWith': {
      const source = stage.type === bsonTypes.string ? stage : options.get('coll');
      return [...actionsOn(['find'], source, database), ...inner()];
    }
    case '$facet':
      return [...options].flatMap((facet) =>
        stagesIn(facet).flatMap((each) => privilegesOfStage(each, database)),
      );
    case '$currentOp':
    case '$listLocalSessions':
    case '$listSessions':
      return options.get('allUsers') === undefined && options.get('users') === undefined
        ? []
        : [{ action: stage.name === '$currentOp' ? 'inprog' : 'listSessions' }];
    case '$listClusterCatalog':
      return [{ action: 'listCollections', database, collection: '' }];
    case '$querySettings':
    case '$queryStats':
    case '$listSampledQueries':
      return [{ action: 'queryStatsRead' }];
    case '$out':
      return actionsOn(['insert', 'remove'], stage, database);
    case '$merge':
      return actionsOn(['insert', 'update'], options.get('into') ?? stage, database);
    default:
      return [];
  }
}

/** A collection is named alone, or with its database as `{db, coll}`. */
function actionsOn(actions: readonly string[], target: Value | undefined, database: string): Privilege[] {
  if (target === undefined) return [];
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
