import type { Bootstrap } from './bootstrap.ts';
import type { Config } from './config.ts';
import { machineClock } from './runtime/clock.ts';
import { askedToEnd } from './runtime/starter/starter.ts';
import { openService } from './service.ts';

/** Runs a service until it is asked to stop; answers the exit code. */
export async function start(config: Config): Promise<number> {
  // Databases and keys are their owner's alone, also in a folder that others may enter.
  process.umask(0o077);
  const stopped = askedToEnd(machineClock(), config.stay);
  const service = await openService(config);
  if (process.stdout.isTTY) console.log(greeting(service.bootstrap, service.dataDirectory));
  console.log(`ready ${service.bootstrap.url}`);
  await stopped;
  await service.close();
  return 0;
}

function greeting(
  { url, publicKey, orgId, groupId, caCertificate }: Bootstrap,
  dataDirectory: string,
): string {
  const trust = caCertificate === undefined ? '' : ` --cacert ${caCertificate}`;
  return [
    `organization ${orgId}, project ${groupId}`,
    `keys and tokens: ${dataDirectory}/bootstrap.json`,
    '',
    `  curl --digest${trust} --user "${publicKey}:$PRIVATE_KEY" \\`,
    `    ${url}/api/service/v2/groups`,
    '',
    `reference: ${url}/api/service/docs`,
  ].join('\n');
}
