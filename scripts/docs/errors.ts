import type { AnyFaultTable } from '../../packages/foundation/src/faults.ts';
import { faultRulesOf } from '../../packages/service/src/api/documents/index.ts';
import { code, page, table } from './markdown.ts';

/** The codes of one part of the service. */
export interface FaultGroup {
  readonly title: string;
  readonly tables: readonly AnyFaultTable[];
}

/** `docs/errors.md`: every error code with its status and text. */
export function errorsPage(groups: readonly FaultGroup[]): string {
  return page('Errors', [
    'The body of an error has the fields `error` (the HTTP status), `reason` (the reason phrase of the status, such as "Not\n' +
      'Found"), `errorCode`, `detail` and `parameters`. The header `X-Error-Code` repeats the code. In the tables below, `{0}`\n' +
      'and `{1}` stand for the first and the second parameter. If `detail` is only `{0}`, its text depends on the error.\n' +
      'If a field of the request is invalid, `badRequestDetail` contains the name of the field and a description. If several\n' +
      'fields are invalid, the response reports only the first problem.\n',
    'A request without credentials, or with a wrong API key, gets the status 401 and the code `UNEXPECTED_ERROR`. A wrong\n' +
      'access token gets the code `UNAUTHORIZED`. Violations of the HTTP protocol get the code `UNEXPECTED_ERROR` as well:\n' +
      'a malformed request with the status 400, a transfer coding other than chunked with the status 501, and other\n' +
      'violations with the status 405, 408, 413, 415, 417 or 431.\n',
    '`/api/oauth/token` and `/api/oauth/revoke` return OAuth 2.0 errors (RFC 6749, 5.2): `error` is a code such as\n' +
      '`invalid_client`, and `error_description` is a text.\n',
    ...groups
      .filter(({ tables }) => tables.length > 0)
      .flatMap(({ title, tables }) => [`## ${title}\n`, faultTable(tables)]),
  ]);
}

function faultTable(tables: readonly AnyFaultTable[]): string {
  const rows = faultRulesOf(tables).map((fault) => [String(fault.status), code(fault.code), fault.detail]);
  return table(['Status', 'Code', 'Detail'], rows);
}
