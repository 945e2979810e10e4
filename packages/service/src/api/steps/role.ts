import { allows, type Caller, refusal, type Scope } from '../../access/index.ts';
import type { OperationVersion } from '../routes/operation-version.ts';

/**
 * Throws 401, or the error that the operation declares, if the caller lacks a role that the operation
 * requires in this version.
 */
export function checkRole(
  served: OperationVersion,
  caller: Caller | undefined,
  scope: Scope | undefined,
  params: Readonly<Record<string, string>>,
): void {
  const { operation, shape } = served;
  const access = shape?.access ?? operation.access;
  if (access === 'any caller' || access === 'no credentials' || access === 'operator') return;
  if (caller && scope && allows(caller, access, scope)) return;
  if (!caller || !scope)
    throw new TypeError(`The operation ${operation.id} requires a role but names no project or organization`);
  throw operation.refusal?.(params) ?? refusal(caller, access, scope);
}
