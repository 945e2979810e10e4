import type { Part } from '../part.ts';
import { copyOplog, forgetOplogCopy } from './tasks.ts';

export const oplogCopies: Part = {
  tasks: [copyOplog, forgetOplogCopy],
};
