import { join } from 'node:path';
import { companion } from '@portolan/engine/library/companion';
import { folder } from './folder.cjs';
import type { ServiceCalls } from './protocol.ts';

/** Calls the companion that runs services. */
export const askServices = companion<ServiceCalls>({
  name: 'services',
  entry: join(folder, '../companion/main'),
  // The first version of Node.js with `crypto.argon2`.
  oldest: '24.7',
});
