import { STATUS_CODES } from 'node:http';
import { Fault } from '@portolan/foundation/faults';
import type { Log } from '@portolan/foundation/log';
import { Challenge, challengeBody } from '../../access/index.ts';
import { StoreError, troubleOfStore } from '../../store/index.ts';
import { generalFaults, unavailable } from '../faults.ts';
import type { Format } from '../schema/query.ts';
import { written } from './written.ts';

/** Returns the body of an error (docs/contract/api.md 7, docs/contract/access.md 3.1). */
export function errorText(fault: Fault, format: Format): string {
  if (fault instanceof Challenge) return challengeBody(fault);
  return written({ kind: 'whole', value: errorBody(fault) }, fault.status, format);
}

function errorBody(fault: Fault) {
  const fields = fault.fields?.map(({ description, field }) => ({ description, field }));
  return {
    ...(fields ? { badRequestDetail: { fields } } : {}),
    detail: fault.message,
    error: fault.status,
    errorCode: fault.code,
    parameters: fault.parameters,
    reason: STATUS_CODES[fault.status] ?? 'Unknown',
  };
}

/** Converts a thrown value to the fault that the caller sees. Details of unexpected errors appear only in the log. */
export function faultOf(thrown: unknown, log: () => Log): Fault {
  if (thrown instanceof Fault) return thrown;
  const reason = thrown instanceof StoreError ? troubleOfStore(thrown.kind) : undefined;
  if (reason !== undefined) {
    log().warn({ err: thrown }, 'the store is not available');
    return unavailable(reason);
  }
  log().error({ err: thrown }, 'a request failed unexpectedly');
  return generalFaults.UNEXPECTED_ERROR();
}
