import { startService } from '../../parity/service.ts';
import { AdoptedWalk } from './walk.ts';

/**
 * Runs the steps of `AdoptedWalk` on a running deployment of any product. A step that the deployment does not support
 * must be refused with the name of the missing capability. Returns false if a step fails.
 */
export async function runAdopted(root: string, uri: string): Promise<boolean> {
  await using service = await startService(root);
  await using walk = new AdoptedWalk(service, uri);
  const changes = [walk.write, walk.user, walk.argument, walk.pin, walk.sampleData, walk.searchIndex];
  const copies = [walk.snapshot, walk.restore, walk.pointInTime];
  const others = [walk.measure, walk.alert, walk.logins, walk.failover, walk.pause];
  let failures = 0;
  for (const step of [walk.adopt, ...changes, ...copies, ...others, walk.release]) {
    try {
      console.log(await step.call(walk));
    } catch (error) {
      failures++;
      console.log(`FAIL  ${step.name}: ${(error as Error).message}`);
      if (step === walk.adopt) break;
    }
  }
  return failures === 0;
}
