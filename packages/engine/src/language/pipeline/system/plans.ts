import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf } from '../../../bson/raw.ts';
import { boolOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { StageTable } from '../stage.ts';
import { needsOnCollection } from '../stage-access.ts';
import { atTheSource } from '../stage-facts.ts';
import { aboutDeployment } from './system-stage.ts';

/** The stage that lists cached query plans. */
export const planStages: StageTable = {
  $planCacheStats: {
    ...aboutDeployment,
    compile(spec, { pipelineEnvironment }) {
      if (wantsAllHosts(spec)) {
        throw new ServerError(
          4503200,
          '$planCacheStats stage supports allHosts parameter only for sharded clusters',
        );
      }
      return () => {
        const { database, collection } = pipelineEnvironment.namespace;
        const plans = pipelineEnvironment.system?.plans();
        if (plans !== undefined) return plans;
        throw new ServerError(50933, `collection '${database}.${collection}' does not exist`);
      };
    },
    source: 'collection',
    within: { ...atTheSource, transaction: false },
    access: needsOnCollection('planCacheRead'),
    readConcern: 'local',
  },
};

function wantsAllHosts(spec: Value): boolean {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      'FailedToParse',
      `$planCacheStats value must be an object. Found: ${typeName(spec.type)}`,
    );
  }
  let all: boolean | undefined;
  for (const element of documentOf(spec)) {
    if (element.name !== 'allHosts') {
      throw new ServerError(
        'FailedToParse',
        `$planCacheStats parameters object may contain only 'allHosts' field. Found: ${element.name}`,
      );
    }
    if (all !== undefined) {
      throw new ServerError('FailedToParse', "$planCacheStats names 'allHosts' more than once");
    }
    if (element.type !== bsonTypes.bool) {
      throw new ServerError(13111, `Wrong type for field (allHosts) ${typeName(element.type)} != bool`);
    }
    all = boolOf(element);
  }
  return all ?? false;
}
