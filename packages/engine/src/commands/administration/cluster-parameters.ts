import { bsonTypes } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { nullValue, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited } from '../../observe/audited.ts';
import { knownParameter, readClusterParameter } from '../../parameters/cluster-parameters.ts';
import { CLUSTER_PARAMETERS } from '../../parameters/parameters.ts';
import { writeStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { byType, listOf, notEmpty, notNull, required } from '../shared/field-builders.ts';
import { inspecting, writing } from '../shared/presets.ts';
import { changeStoredParameters, newestTime } from './stored-parameters.ts';

const nameList = notEmpty(
  listOf('string'),
  () =>
    new ServerError(
      'BadValue',
      'Must supply at least one cluster server parameter name to getClusterParameter',
    ),
);

/** One name, several names, or `*` for all parameters. Null is an error. */
const parameterNames = notNull(byType({ array: nameList.read, string: textOf }));

const getClusterParameter = command({
  name: 'getClusterParameter',
  ...inspecting,
  database: 'admin',
  audit: audited('getClusterParameter', ({ args }) => {
    const requested = args.get('getClusterParameter');
    const isList = requested?.type === bsonTypes.array;
    return { requestedClusterServerParameters: isList ? requested : [requested ?? nullValue] };
  }),
  privileges: () => [{ action: 'getClusterParameter' }],
  lenient: true,
  fields: { getClusterParameter: required(parameterNames) },
  run: ({ getClusterParameter: requested }, _request, cluster) => ({
    clusterParameters: namesOf(requested, cluster).map((name) => describe(name, cluster)),
  }),
});

function namesOf(requested: string | readonly string[], { parameters }: ClusterContext): string[] {
  if (requested === '*') return Object.keys(parameters.clusterParameters).sort();
  return typeof requested === 'string' ? [requested] : [...new Set(requested)];
}

function describe(name: string, { parameters }: ClusterContext): object {
  const standard = knownParameter(name);
  const { clusterParameterTime, ...value } = parameters.clusterParameters[name] ?? standard;
  return { _id: name, ...(clusterParameterTime === undefined ? {} : { clusterParameterTime }), ...value };
}

const setClusterParameter = command({
  name: 'setClusterParameter',
  ...writing,
  database: 'admin',
  audit: audited('setClusterParameter', ({ args }) => ({
    updatedClusterServerParameter: args.get('setClusterParameter'),
  })),
  privileges: () => [{ action: 'setClusterParameter' }],
  lenient: true,
  fields: { setClusterParameter: 'object!' },
  run({ setClusterParameter: given }, { body, caller }, cluster) {
    if (body.has('writeConcern')) {
      throw new ServerError(
        'InvalidOptions',
        'setClusterParameter does not take a writeConcern: it is always majority',
      );
    }
    const { name, value } = onlyField(given);
    const fields = readClusterParameter(name, value, cluster.parameters.clusterParameters);
    const before = describe(name, cluster);
    changeStoredParameters(cluster, () => {
      writeStored(cluster.store, CLUSTER_PARAMETERS, name, {
        clusterParameterTime: newestTime(cluster),
        ...fields,
      });
    });
    auditOnOtherMembers(caller.member, { before, after: describe(name, cluster) }, cluster);
    return {};
  },
});

/** Writes the new value to the audit stream of every other running member. */
function auditOnOtherMembers(
  sender: string,
  { before, after }: { readonly before: object; readonly after: object },
  { observer, topology }: ClusterContext,
): void {
  const param = { originalClusterServerParameter: before, updatedClusterServerParameter: after };
  for (const { id: member, state } of topology.members) {
    if (member === sender || state === 'DOWN') continue;
    const atype = 'updateCachedClusterServerParameter';
    observer?.audit({ atype, caller: { member }, param, result: 0 });
  }
}

function onlyField(given: RawDocument): { name: string; value: RawDocument } {
  const [first, second] = [...given];
  if (first === undefined) throw new ServerError('NoSuchKey', 'Unknown server parameter: ');
  if (second !== undefined) {
    throw new ServerError('InvalidOptions', 'setClusterParameter takes exactly one parameter');
  }
  knownParameter(first.name);
  if (first.type === bsonTypes.object)
    return { name: first.name, value: given.document(first.name) as RawDocument };
  throw new ServerError(
    first.type === bsonTypes.string ? 'BadValue' : 'IllegalOperation',
    `Cluster parameter value must be an object; ${first.name} is not`,
  );
}

export const clusterParameterCommands: readonly Command[] = [getClusterParameter, setClusterParameter];
