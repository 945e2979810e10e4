import { entryPoint } from '@portolan/foundation/entry-point';
import { processStarter } from '../host-process.ts';

/**
 * The built program, if `npm test` has built one. Starting a host with a cluster takes 1.05 s of CPU time
 * from source, and 0.7 s from the build.
 */
const built = process.env.TESTED_PROGRAM;

export const startHost = processStarter(
  process.env,
  built === undefined
    ? entryPoint(import.meta.filename, '../../host/main')
    : entryPoint(built, 'engine/host/main'),
);
