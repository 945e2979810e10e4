import { beanie } from './beanie.ts';
import { django } from './django.ts';
import { goDriver } from './go-driver.ts';
import { memoryServer } from './memory-server.ts';
import { mongoengine } from './mongoengine.ts';
import { mongoose } from './mongoose.ts';
import { nodeDriver } from './node-driver.ts';
import { pymongo } from './pymongo.ts';
import type { ClientSuite } from './suite.ts';
import { tools } from './tools.ts';

export const suites: readonly ClientSuite[] = [
  mongoose,
  pymongo,
  mongoengine,
  beanie,
  tools,
  goDriver,
  memoryServer,
  nodeDriver,
  django,
];
