import type { MongoClient } from 'mongodb';
import { runOn } from './connection.ts';

/**
 * Two times for a step-down, in seconds: how long the member cannot be elected afterwards, and how long the member
 * first waits until others have caught up.
 */
const STEP_DOWN_S = 60;
const CATCH_UP_S = 10;

/** Makes a primary step down. */
export async function stepDown(primary: MongoClient): Promise<void> {
  const command = { replSetStepDown: STEP_DOWN_S, secondaryCatchUpPeriodSecs: CATCH_UP_S };
  try {
    await runOn(primary, command);
  } catch (error) {
    // Older servers close the connection instead of replying.
    if (!/^MongoNetwork/.test((error as Error).name)) throw error;
  }
}
