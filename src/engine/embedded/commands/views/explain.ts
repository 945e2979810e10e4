import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { countFields } from '../crud/count.ts';
import { distinctFields } from '../crud/distinct.ts';
import { findFields } from '../crud/find.ts';
import { fields } from '../shared/fields.ts';
import { isGeneric } from '../shared/generic.ts';
import { collectionOf } from '../shared/namespace.ts';
import { stagesOfFind } from './find.ts';
import { stage } from './read.ts';
import { findView, sourceOf } from './view.ts';

const findReader = fields('find', findFields, isGeneric);
const countReader = fields('count', countFields, isGeneric);
const distinctReader = fields('distinct', distinctFields, isGeneric);

/** What a command asks of documents, as stages of a pipeline. */
const stagesOf: Readonly<Record<string, (body: RawDocument) => readonly RawDocument[]>> = {
  aggregate: (body) => body.documents('pipeline', 'aggregate') ?? [],
  find: (body) => stagesOfFind(findReader.read(body)),
  count(body) {
    const { query, skip, limit } = countReader.read(body);
    return [
      ...stage('$match', query),
      ...stage('$skip', skip || undefined),
      ...stage('$limit', limit),
      ...stage('$count', 'count'),
    ];
  },
  distinct(body) {
    const { query, key } = distinctReader.read(body);
    return [...stage('$match', query), ...stage('$group', { _id: null, distinct: { $addToSet: `$${key}` } })];
  },
};

/** A command that reads a view, as the pipeline over the collection below that it really is. */
export function viewAsPipeline(inner: CommandRequest, { store }: ClusterContext): CommandRequest | undefined {
  const stages = stagesOf[inner.name];
  if (stages === undefined || findView(store, inner.database, collectionOf(inner)) === undefined) {
    return undefined;
  }
  const { name, pipeline } = sourceOf(store, inner.database, collectionOf(inner));
  const { body } = inner;
  const [collation, hint, variables] = [body.get('collation'), body.get('hint'), body.get('let')];
  const aggregate = encodeDocument({
    aggregate: name,
    pipeline: [...pipeline, ...stages(body)],
    cursor: {},
    collation,
    hint,
    let: variables,
  });
  return { ...inner, name: 'aggregate', body: new RawDocument(aggregate) };
}
