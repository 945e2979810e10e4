import { readLimits } from '../../planner/min-max.ts';
import type { Explainable, Explainer } from '../context/explainable.ts';
import { above } from '../planning/explain-plan.ts';
import { explained } from '../planning/explained.ts';
import { express } from '../planning/express.ts';
import { collectionOf } from '../shared/namespace.ts';
import { countReader, distinctReader, findReader } from '../shared/query-fields.ts';
import { stagesOfFind } from '../views/find.ts';
import { stage } from '../views/read.ts';

const findExplainer: Explainer = (inner, cluster, run) => {
  const args = findReader.read(inner.body);
  const { filter, sort, hint, collation, skip, limit, projection, min, max } = args;
  const reading = args.returnKey === true || args.showRecordId === true;
  const limits = readLimits(min, max);
  const wanted = {
    filter,
    sort,
    hint,
    collation,
    skip,
    limit: limit || undefined,
    projection,
    reading,
    limits,
  };
  const batched = args.batchSize !== undefined;
  return explained(inner, cluster, wanted, run, (visited) => express(visited, { ...wanted, batched }));
};

const countExplainer: Explainer = (inner, cluster, run) => {
  const { query, hint, collation, skip, limit } = countReader.read(inner.body);
  const most = limit || undefined;
  const wanted = { filter: query, hint, collation, counting: true };
  // With a hint, do not use the number of documents in the collection, because the hinted index may not
  // contain all of them.
  const all = (query === undefined || query.isEmpty) && hint === undefined;
  return explained(inner, cluster, wanted, run && !all, (visited) => {
    const { stage } = visited.top;
    const { documents = 0 } = cluster.store.collection(inner.database, collectionOf(inner)) ?? {};
    const found = all && run ? documents : visited.found;
    const nCounted = Math.min(Math.max(found - (skip ?? 0), 0), most ?? Number.POSITIVE_INFINITY);
    const figures = run ? { nCounted, nSkipped: Math.min(skip ?? 0, found) } : {};
    if (all && stage !== 'EOF') {
      // The store maintains the number of documents, so a count reads no documents.
      return { ...visited, top: { stage: 'RECORD_STORE_FAST_COUNT', details: {}, figures, nReturned: 0 } };
    }
    return { ...visited, top: above('COUNT', visited.top, {}, 0, figures) };
  });
};

const distinctExplainer: Explainer = (inner, cluster, run) => {
  const { query, hint, collation, key } = distinctReader.read(inner.body);
  return explained(inner, cluster, { filter: query, hint, collation, distinct: key }, run);
};

export const explainFind: Explainable = {
  explain: findExplainer,
  stages: (body) => stagesOfFind(findReader.read(body)),
};

export const explainCount: Explainable = {
  explain: countExplainer,
  stages(body) {
    const { query, skip, limit } = countReader.read(body);
    return [
      ...stage('$match', query),
      ...stage('$skip', skip || undefined),
      ...stage('$limit', limit || undefined),
      ...stage('$count', 'count'),
    ];
  },
};

export const explainDistinct: Explainable = {
  explain: distinctExplainer,
  stages(body) {
    const { query, key } = distinctReader.read(body);
    return [...stage('$match', query), ...stage('$group', { _id: null, distinct: { $addToSet: `$${key}` } })];
  },
};
