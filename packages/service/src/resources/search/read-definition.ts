import type { CustomAnalyzer } from '@portolan/engine/management';
import { nextTurn } from '@portolan/foundation/next-turn';
import { isPlainObject } from '../../api/schema/json-schema.ts';
import type { Tx } from '../../store/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import { analyzersOf, type Definition, definitionSize, type IndexRow } from './rows.ts';
import {
  checkDefinition,
  checkSharedSize,
  checkStoredDefinition,
  readStoredAnalyzers,
  requireDefinitionSize,
  requireType,
} from './rules.ts';

/**
 * Checks a definition. Returns it without null values, which count as absent. Other requests are served between the
 * steps, each of which takes up to ten milliseconds. If `ofCluster` contains the new analyzers of the cluster, the
 * definition is an existing one.
 */
export async function readDefinition(
  tx: Tx,
  { id: clusterId, spec }: ClusterModel,
  { id, type, definition }: Pick<IndexRow, 'id' | 'type' | 'definition'>,
  { at, ofCluster }: { readonly at: string; readonly ofCluster?: readonly CustomAnalyzer[] | undefined },
): Promise<Definition> {
  requireType(type, definition, at);
  if (spec.tenant) checkSharedSize(definition, at);
  if (ofCluster === undefined)
    requireDefinitionSize(definition, await definitionSize(tx, { clusterId, id }), at);
  const analyzers = ofCluster ?? readStoredAnalyzers(await analyzersOf(tx, clusterId));
  await nextTurn();
  const check = ofCluster === undefined ? checkDefinition : checkStoredDefinition;
  check(type, definition, analyzers, at);
  await nextTurn();
  return withoutNulls(definition) as Definition;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
