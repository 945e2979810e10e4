import { MAIN } from '../../../../../test/support/program.ts';
import { entryPoint } from '../../host/entry-point.ts';
import { processStarter } from '../host-process.ts';

/**
 * Starts hosts as the package has them, where `npm test` has built it: the start of one from source, with a cluster,
 * takes 1.05 s of processor time, and of this 0.7 s.
 */
export const startHost = processStarter(process.env, entryPoint(MAIN, 'engine/embedded/host/main'));
