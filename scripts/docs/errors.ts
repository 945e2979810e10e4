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
    'An error body has `errorCode`, `error` (the status), `reason`, `detail` and `parameters`; the header `X-Error-Code`\n' +
      'repeats the code. Below, `{0}` and `{1}` stand for the parameters in order. If fields are invalid,\n' +
      '`badRequestDetail` lists each with a description.\n',
    'Missing and wrong credentials (401) and protocol errors (400 for a malformed request; 405, 408, 413, 415, 417, 431;\n' +
      '501 for a transfer coding other than chunked) have the code `UNEXPECTED_ERROR`. `/api/oauth/token` and\n' +
      '`/api/oauth/revoke` return OAuth 2.0 errors (RFC 6749, 5.2): `error` is a code such as `invalid_client`, and\n' +
      '`error_description` a text.\n',
    ...groups
      .filter(({ tables }) => tables.length > 0)
      .flatMap(({ title, tables }) => [`## ${title}\n`, faultTable(tables)]),
  ]);
}

function faultTable(tables: readonly AnyFaultTable[]): string {
  const rows = faultRulesOf(tables).map((fault) => [String(fault.status), code(fault.code), fault.detail]);
  return table(['Status', 'Code', 'Detail'], rows);
}
