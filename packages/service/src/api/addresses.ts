import type { ReleaseDate } from './versions.ts';

/** This file defines base paths and media types (docs/contract/api.md 4.1, 9). */

/** Base path of extensions, the operations that Portolan adds to the contract. */
export const OPERATOR_BASE = '/operator/v1';

export const TOKEN_PATH = '/api/oauth/token';

export const PLAIN_MEDIA_TYPE = 'application/json';

/** Formats of responses. Texts have the media type of JSON documents because the vendor's clients expect it. */
export type AnswerForm = 'event-stream' | 'gzip' | 'json' | 'text';

export const STREAM_MEDIA_TYPE = 'text/event-stream';

/**
 * Returns the media type of a version in a vendor tree such as `service`. Without a version, returns the plain media
 * type.
 */
export function mediaTypeOf(form: AnswerForm, version?: ReleaseDate, mediaPrefix = 'service'): string {
  if (form === 'event-stream') return STREAM_MEDIA_TYPE;
  const suffix = form === 'text' ? 'json' : form;
  return version === undefined
    ? `application/${suffix}`
    : `application/vnd.${mediaPrefix}.${version}+${suffix}`;
}
