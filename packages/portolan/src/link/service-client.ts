import { type HttpAnswer, sendRequest } from '@portolan/foundation/http-call';
import { type Orders, REPORT_PATH, type Report } from '@portolan/service/live-migrations';
import { LinkError, type LinkSettings } from './settings.ts';

const TIMEOUT_MS = 10_000;

/**
 * Sends a report to the service, and returns the orders in its response. Throws a `LinkError` if another
 * attempt would fail, too: the service rejects the report, or its certificate is not trusted.
 */
export async function sendReport(settings: LinkSettings, report: Report): Promise<Orders> {
  const { status, text } = await post(settings, JSON.stringify(report));
  if (status === 200) return JSON.parse(text) as Orders;
  const reason = `the service returned ${status}: ${detailOf(text)}`;
  if (status >= 400 && status < 500 && status !== 429) throw new LinkError(reason);
  throw new Error(reason);
}

function detailOf(text: string): string {
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail);
  } catch {
    return text.slice(0, 200);
  }
}

const UNTRUSTED = /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER))/;

/** Returns a final error for an untrusted certificate, since another attempt would fail for the same reason. */
function trusted(error: NodeJS.ErrnoException): Error {
  if (!UNTRUSTED.test(error.code ?? '')) return error;
  return new LinkError(
    `the certificate of the service is not trusted (${error.message}): specify its authority with --ca-file`,
  );
}

async function post({ url, authorization, authority }: LinkSettings, body: string): Promise<HttpAnswer> {
  const headers = { authorization, 'content-type': 'application/json' };
  try {
    const call = { method: 'POST', headers, body, authority, timeoutMs: TIMEOUT_MS };
    return await sendRequest(new URL(REPORT_PATH, url), call);
  } catch (error) {
    throw trusted(error as NodeJS.ErrnoException);
  }
}
