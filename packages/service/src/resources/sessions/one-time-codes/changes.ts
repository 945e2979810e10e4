import type { Tx } from '../../../store/index.ts';
import type { UserRow } from '../../accounts/index.ts';
import type { Services } from '../../services.ts';
import { sessionFaults } from '../faults.ts';
import { codeUrl, hashRecoveryCode, newCodeSecret, newRecoveryCodes, stepOfCode } from './codes.ts';
import { type CodesRow, findCodes, putCodes } from './rows.ts';

const contextOf = (userId: string) => `one-time codes of ${userId}`;

/** Creates a secret. It replaces an earlier secret that was not confirmed. Throws `CODES_ALREADY_ON`. */
export async function enrol(
  tx: Tx,
  { secrets, random }: Services,
  { id, username }: UserRow,
): Promise<{ readonly secret: string; readonly url: string }> {
  if ((await findCodes(tx, id))?.isConfirmed) throw sessionFaults.CODES_ALREADY_ON();
  const secret = newCodeSecret(random);
  const sealed = secrets.seal(secret, contextOf(id));
  await putCodes(tx, { userId: id, sealed, isConfirmed: false, lastStep: 0, recovery: [] });
  return { secret, url: codeUrl(secret, username) };
}

/**
 * Turns one-time codes on when the user enters a first valid code. Returns the recovery codes. Throws `NO_CODES` or
 * `INVALID_CODE`.
 */
export async function confirm(
  tx: Tx,
  services: Services,
  userId: string,
  code: string,
): Promise<readonly string[]> {
  const row = await findCodes(tx, userId);
  if (row === undefined) throw sessionFaults.NO_CODES();
  if (row.isConfirmed) throw sessionFaults.CODES_ALREADY_ON();
  const lastStep = newStep(services, row, code);
  if (lastStep === undefined) throw sessionFaults.INVALID_CODE();
  const codes = newRecoveryCodes(services.random);
  await putCodes(tx, { ...row, isConfirmed: true, lastStep, recovery: codes.map(hashRecoveryCode) });
  return codes;
}

/** Returns whether a code or recovery code is valid. A valid code cannot be used again. */
export async function useCode(tx: Tx, services: Services, userId: string, code: string): Promise<boolean> {
  const row = await findCodes(tx, userId);
  if (!row?.isConfirmed) return false;
  const lastStep = newStep(services, row, code);
  if (lastStep !== undefined) {
    await putCodes(tx, { ...row, lastStep });
    return true;
  }
  const hash = hashRecoveryCode(code);
  if (!row.recovery.includes(hash)) return false;
  await putCodes(tx, { ...row, recovery: row.recovery.filter((one) => one !== hash) });
  return true;
}

/**
 * Returns the time step of a code, if this step is later than the step of the last accepted code; otherwise undefined.
 */
function newStep({ secrets, machine }: Services, row: CodesRow, code: string): number | undefined {
  const secret = secrets.open(row.sealed, contextOf(row.userId)).toString();
  const step = stepOfCode(secret, code, machine.now());
  return step !== undefined && step > row.lastStep ? step : undefined;
}
