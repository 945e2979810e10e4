import { memoryServer } from './memory-server.ts';
import { mongoengine } from './mongoengine.ts';
import { mongoose } from './mongoose.ts';
import { pymongo } from './pymongo.ts';
import type { ClientSuite } from './suite.ts';

export const suites: readonly ClientSuite[] = [mongoose, pymongo, mongoengine, memoryServer];
