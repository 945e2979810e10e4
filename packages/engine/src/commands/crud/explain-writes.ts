import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileUpdate, type UpdateOptions } from '../../language/update/index.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import type { Explainable, Explainer, Visited } from '../context/explainable.ts';
import type { CommandRequest } from '../context/request.ts';
import { above, type ExplainedQuery } from '../planning/explain-plan.ts';
import { explained } from '../planning/explained.ts';
import { expressWrite } from '../planning/express.ts';
import { environmentOf } from '../shared/environment.ts';
import { deleteReader } from './delete-statement.ts';
import { checkArguments, findAndModifyReader } from './modify-arguments.ts';
import { checkStatement, updateOptions, updateReader } from './update-statement.ts';

/** The query that selects the documents that an explained write would change. */
type Target = Omit<ExplainedQuery, 'environment'> & { readonly returning: boolean };

const update: Explainer = (inner, cluster, run) => {
  const statement = updateReader.read(only(inner, 'updates'));
  checkStatement(statement);
  const { q, hint, collation, sort, multi, u, upsert } = statement;
  const target = {
    filter: q,
    hint,
    collation,
    sort,
    limit: multi ? undefined : 1,
    writing: true,
    returning: false,
  };
  const change = {
    by: u,
    options: updateOptions(statement, environmentOf(inner.body.document('let'), cluster), cluster),
    upsert: upsert === true,
  };
  return explained(inner, cluster, target, run, (visited) => updating(visited, target, change, run));
};

interface Change {
  readonly by: Value;
  readonly options: UpdateOptions;
  readonly upsert: boolean;
}

function updating(visited: Visited, target: Target, { by, options, upsert }: Change, run: boolean): Visited {
  const compiled = compileUpdate(by, options);
  const modified = (record: StoredRecord) => compiled.apply(record.doc).modified;
  const nMatched = visited.found;
  const nWouldModify = visited.records.slice(0, nMatched).filter(modified).length;
  const { returning } = target;
  const express = upsert
    ? undefined
    : expressWrite(visited, target, { stage: 'EXPRESS_UPDATE', nWouldModify, returning });
  if (express !== undefined) return express;
  const figures = { nMatched, nWouldModify, nWouldUpsert: upsert && nMatched === 0 ? 1 : 0 };
  const nReturned = returning ? nMatched : 0;
  return { ...visited, top: above('UPDATE', visited.top, {}, nReturned, run ? figures : {}) };
}

const remove: Explainer = (inner, cluster, run) => {
  const { q, hint, collation, limit } = deleteReader.read(only(inner, 'deletes'));
  const target = {
    filter: q,
    hint,
    collation,
    limit: limit === 1 ? 1 : undefined,
    writing: true,
    returning: false,
  };
  return explained(inner, cluster, target, run, (visited) => deleting(visited, target, run));
};

function deleting(visited: Visited, target: Target, run: boolean): Visited {
  const nWouldDelete = visited.found;
  const { returning, limit } = target;
  const express = expressWrite(visited, target, { stage: 'EXPRESS_DELETE', nWouldDelete, returning });
  if (express !== undefined) return express;
  // The server deletes many documents in batches.
  const stage = limit === undefined ? 'BATCHED_DELETE' : 'DELETE';
  const nReturned = returning ? nWouldDelete : 0;
  return { ...visited, top: above(stage, visited.top, {}, nReturned, run ? { nWouldDelete } : {}) };
}

function only({ name, body }: CommandRequest, field: string): RawDocument {
  const [statement, more] = body.documents(field, name) ?? [];
  if (statement !== undefined && more === undefined) return statement;
  throw new ServerError('InvalidLength', 'explained write batches must be of size 1');
}

const findAndModify: Explainer = (inner, cluster, run) => {
  const args = findAndModifyReader.read(inner.body);
  checkArguments(args);
  const { query, sort, hint, collation, fields, update: by, remove: removes, upsert } = args;
  const found = { filter: query, sort, hint, collation, limit: 1, writing: true };
  const projection = fields === undefined || fields.isEmpty ? undefined : fields;
  return explained(inner, cluster, found, run, (visited) => {
    const target = { ...found, projection, returning: true };
    if (removes || by === undefined) return deleting(visited, target, run);
    const options = updateOptions(args, environmentOf(args.let, cluster), cluster);
    return updating(visited, target, { by, options, upsert: upsert === true }, run);
  });
};

export const explainUpdate: Explainable = { explain: update, stages: undefined };
export const explainDelete: Explainable = { explain: remove, stages: undefined };
export const explainFindAndModify: Explainable = { explain: findAndModify, stages: undefined };
