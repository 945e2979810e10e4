import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { SearchDefinitionError } from '../../interface/search/index.ts';
import { type GenerationState, isServing } from '../../search/file/search-reader.ts';
import { planOf } from '../../search/mapping/definition.ts';
import { synonymFault } from '../../search/synonyms.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { addressOf } from '../shared/members.ts';
import { documentsOf } from './documents.ts';

/** Describes an index for the list of search indexes. `show` is called with each definition, and returns it as shown. */
export function describeIndex(
  index: SearchIndexRow,
  database: string,
  cluster: ClusterContext,
  show = (definition: RawDocument) => definition,
): RawDocument {
  const { stopped } = cluster.search;
  const states = cluster.search.states(index.id).map((state) => markStale(state, stopped));
  const newest = states.find(({ version }) => version === index.version);
  const serving = states.findLast(isServing);
  const status = newest?.status ?? 'PENDING';
  const queryable = serving !== undefined;
  const shown = (state: GenerationState) => ({
    status: state.status,
    queryable: isServing(state),
    definitionVersion: versionOf(state),
    definition: show(state.definition),
    ...(state.message === undefined ? {} : { message: state.message }),
    ...synonymsOf({ ...index, definition: state.definition }, database, state.status, cluster),
  });
  const staged = newest !== undefined && newest !== serving ? newest : undefined;
  const main = serving ?? staged;
  const detail = {
    ...{ status, queryable },
    ...(main === undefined ? {} : { mainIndex: shown(main) }),
    ...(serving === undefined || staged === undefined ? {} : { stagedIndex: shown(staged) }),
  };
  return new RawDocument(
    encodeDocument({
      id: index.id,
      name: index.name,
      type: index.type,
      status,
      queryable,
      latestVersion: BigInt(index.version),
      latestDefinition: show(index.definition),
      latestDefinitionVersion: versionOf(index),
      ...(newest?.message === undefined ? {} : { message: newest.message }),
      ...synonymsOf(index, database, status, cluster),
      numDocs: BigInt(serving?.documents ?? 0),
      statusDetail: cluster.topology.members
        .filter(({ state }) => state === 'PRIMARY' || state === 'SECONDARY')
        .map((member) => ({ hostname: addressOf(member), ...detail })),
    }),
  );
}

/** Reports a built index as stale if there are no search nodes to update it. */
function markStale(state: GenerationState, stopped: string | undefined): GenerationState {
  return stopped === undefined || state.status !== 'READY'
    ? state
    : { ...state, status: 'STALE', message: stopped };
}

function versionOf({ version, created }: { readonly version: number; readonly created: number }) {
  return { version: BigInt(version), createdAt: new Date(created) };
}

/**
 * Returns the synonym mappings of a stored definition. Returns none for an invalid definition, because an error would
 * prevent the whole list of indexes.
 */
function synonymMappingsOf(...definition: Parameters<typeof planOf>) {
  try {
    return planOf(...definition).synonyms;
  } catch (error) {
    if (error instanceof SearchDefinitionError) return [];
    throw error;
  }
}

/** Returns the status of synonym mappings. It depends on the contents of their source collections. */
function synonymsOf(
  { type, definition, analyzers }: SearchIndexRow,
  database: string,
  status: string,
  { store }: ClusterContext,
) {
  if (type !== 'search' || definition.get('synonyms') === undefined) return {};
  const mappings = synonymMappingsOf(type, definition, analyzers);
  if (mappings.length === 0) return {};
  const states = mappings.map(({ name, collection }) => {
    const source = store.collection(database, collection);
    const message = source && synonymFault(documentsOf(source));
    if (message !== undefined) return { name, state: { status: 'FAILED', queryable: false, message } };
    const isBuilt = status === 'READY' || status === 'STALE';
    return { name, state: { status: isBuilt ? 'READY' : 'BUILDING', queryable: isBuilt } };
  });
  const all = states.map(({ state }) => state.status);
  return {
    synonymMappingStatus: ['FAILED', 'BUILDING'].find((one) => all.includes(one)) ?? 'READY',
    synonymMappingStatusDetail: states.map(({ name, state }) => ({ [name]: state })),
  };
}
