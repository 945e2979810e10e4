import type { ReleaseDate } from './versions.ts';

/** Base paths and media types of operations (docs/contract/api.md 4.1, 9). */

export const LEGACY_BASE = '/api/service/v1.0';
export const VERSIONED_BASE = '/api/service/v2';
/** Base path of extensions: operations that neither contract nor reference has. */
export const OPERATOR_BASE = '/operator/v1';

export const DOCUMENT_BASE = '/api/service/openapi';
export const REFERENCE_PAGE_PATH = '/api/service/docs';

export const TOKEN_PATH = '/api/oauth/token';

export const PLAIN_MEDIA_TYPE = 'application/json';

/** Formats of responses: JSON documents, and gzip streams. */
export type AnswerForm = 'gzip' | 'json';

/** The media type of a version, or the plain one on unversioned paths. */
export function mediaTypeOf(form: AnswerForm, version?: ReleaseDate): string {
  return version === undefined ? `application/${form}` : `application/vnd.service.${version}+${form}`;
}
