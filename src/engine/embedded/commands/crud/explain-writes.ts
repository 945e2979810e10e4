import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileUpdate, type UpdateOptions } from '../../language/update/index.ts';
import type { StoredRecord } from '../../storage/page.ts';
import type { Explainable, Explainer, Visited } from '../context/explainable.ts';
import type { CommandRequest } from '../context/request.ts';
import { above } from '../planning/explain-plan.ts';
import { explained } from '../planning/explained.ts';
import { environmentOf } from '../shared/environment.ts';
import { hintOf } from '../shared/hint.ts';
import { deleteReader } from './delete-statement.ts';
import { checkArguments, findAndModifyReader } from './modify-arguments.ts';
import { checkStatement, updateOptions, updateReader } from './update-statement.ts';

const update: Explainer = (inner, cluster, run) => {
  const statement = updateReader.read(only(inner, 'updates'));
  checkStatement(statement);
  const { q, hint, collation, sort, multi, u, upsert } = statement;
  const wanted = { filter: q, hint, collation, sort, limit: multi ? undefined : 1 };
  return explained(inner, cluster, wanted, run, (visited) =>
    updating(
      visited,
      u,
      updateOptions(statement, environmentOf(inner.body.document('let'), cluster), cluster),
      upsert === true,
      run,
    ),
  );
};

function updating(
  visited: Visited,
  change: Value,
  options: UpdateOptions,
  upsert: boolean,
  run: boolean,
): Visited {
  const compiled = compileUpdate(change, options);
  const modified = (record: StoredRecord) => compiled.apply(record.doc).modified;
  const nMatched = visited.found;
  const figures = {
    nMatched,
    nWouldModify: visited.records.slice(0, nMatched).filter(modified).length,
    nWouldUpsert: upsert && nMatched === 0 ? 1 : 0,
  };
  return { ...visited, top: above('UPDATE', visited.top, {}, 0, run ? figures : {}) };
}

const remove: Explainer = (inner, cluster, run) => {
  const { q, hint, collation, limit } = deleteReader.read(only(inner, 'deletes'));
  const wanted = { filter: q, hint, collation, limit: limit === 1 ? 1 : undefined };
  return explained(inner, cluster, wanted, run, (visited) => deleting(visited, limit !== 1, run));
};

function deleting(visited: Visited, isMulti: boolean, run: boolean): Visited {
  const figures = run ? { nWouldDelete: visited.found } : {};
  return { ...visited, top: above('DELETE', visited.top, { isMulti }, 0, figures) };
}

function only({ name, body }: CommandRequest, field: string): RawDocument {
  const [statement, more] = body.documents(field, name) ?? [];
  if (statement !== undefined && more === undefined) return statement;
  throw new ServerError('InvalidLength', 'explained write batches must be of size 1');
}

const findAndModify: Explainer = (inner, cluster, run) => {
  const args = findAndModifyReader.read(inner.body);
  checkArguments(args);
  const { query, sort, hint, collation, update: change, remove: removes, upsert } = args;
  const wanted = { filter: query, sort, hint: hintOf(hint), collation, limit: 1 };
  return explained(inner, cluster, wanted, run, (visited) =>
    removes || change === undefined
      ? deleting(visited, false, run)
      : updating(
          visited,
          change,
          updateOptions(args, environmentOf(args.let, cluster), cluster),
          upsert === true,
          run,
        ),
  );
};

export const explainUpdate: Explainable = { explain: update, stages: undefined };
export const explainDelete: Explainable = { explain: remove, stages: undefined };
export const explainFindAndModify: Explainable = { explain: findAndModify, stages: undefined };
