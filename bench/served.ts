/** Runs a service, and reports the CPU time of its process. Prints the content of the bootstrap file first. */
import { readConfig } from '../packages/service/src/boot/settings.ts';
import { openService } from '../packages/service/src/boot/start-up.ts';
import { answerUsage } from './usage.ts';

const { args } = JSON.parse(process.argv[2] ?? '{}') as { args: string[] };
const service = await openService(readConfig(args, {}));
answerUsage();
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
console.log(JSON.stringify(service.bootstrap));
