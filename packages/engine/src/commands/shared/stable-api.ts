import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { describeStage } from '../../language/pipeline/stages.ts';

/** Throws for stages that are not part of API Version 1, also in nested pipelines. */
export function checkStable(pipeline: readonly RawDocument[]): void {
  for (const spec of pipeline) {
    const stage = spec.first();
    const descriptor = stage && describeStage(stage.name);
    if (stage === undefined || descriptor === undefined) continue;
    const { stableApi, access } = descriptor;
    if (!(typeof stableApi === 'boolean' ? stableApi : stableApi(stage))) {
      throw new ServerError(
        'APIStrictError',
        `stage ${stage.name} is not allowed with 'apiStrict: true' in API Version 1`,
      );
    }
    for (const inner of access.pipelines(stage)) checkStable(inner);
  }
}
