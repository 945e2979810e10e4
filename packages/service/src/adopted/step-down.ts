import type { MongoClient } from 'mongodb';
import { runOn } from './connection.ts';

/**
 * Two durations in seconds. `STEP_DOWN_S`: how long the member cannot be elected again. `CATCH_UP_S`: how long it first
 * waits for other members to catch up.
 */
const STEP_DOWN_S = 60;
const CATCH_UP_S = 10;

export async function stepDown(primary: MongoClient): Promise<void> {
  const command = { replSetStepDown: STEP_DOWN_S, secondaryCatchUpPeriodSecs: CATCH_UP_S };
  try {
    await runOn(primary, command);
  } catch (error) {
    // Older servers close the connection when they step down, instead of replying.
    if (!/^MongoNetwork/.test((error as Error).name)) throw error;
  }
}
