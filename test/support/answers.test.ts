import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, checkerOf } from './answers.ts';
import { harbour } from './harbour.ts';

const checker = checkerOf(harbour());

const newest = { 'content-type': 'application/vnd.service.2025-03-12+json;charset=utf-8' };
const plain = { 'content-type': 'application/json' };
const links = [{ href: 'https://h/api/service/v2/ships/Elida', rel: 'self' }];
const ship = { launched: '2024-02-29T10:00:00Z', links, name: 'Elida' };

interface Given extends Partial<Omit<Answer, 'headers' | 'body'>> {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

function check({ headers = newest, body = ship, ...rest }: Given = {}): void {
  checker.check({
    method: 'GET',
    url: 'https://h/api/service/v2/ships/Elida',
    status: 200,
    ...rest,
    headers: new Headers(headers),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('check of bodies', () => {
  it('accepts a response that its document describes', () => {
    check();
    check({ url: '/api/service/v1.0/ships/Elida', headers: plain });
    check({ url: '/api/service/v2/ships?pageNum=1', body: { links, results: [ship] } });
    check({ method: 'DELETE', status: 204, body: '' });
    check({ method: 'HEAD', body: '' });
  });

  it('rejects an unknown field, with its position', () => {
    const body = { links, results: [ship, { ...ship, rig: 'schooner' }] };
    assert.throws(() => check({ url: '/api/service/v2/ships', body }), {
      message:
        'listShips (GET /api/service/v2/ships → 200, document 2025-03-12): ' +
        '/results/1 must NOT have additional properties ("rig")',
    });
  });

  it('rejects a missing field, a wrong type and a wrong format', () => {
    assert.throws(
      () => check({ body: { name: 'Elida' } }),
      /must have required property 'links' \("links"\)/,
    );
    assert.throws(() => check({ body: { ...ship, name: 7 } }), /\/name must be string/);
    assert.throws(
      () => check({ body: { ...ship, launched: '2024-02-30T10:00:00Z' } }),
      /\/launched must match format/,
    );
  });

  it('rejects malformed JSON and unexpected bodies', () => {
    assert.throws(() => check({ body: '{' }), /the body is no JSON: \{/);
    assert.throws(
      () => check({ method: 'DELETE', status: 204, body: {} }),
      /a body where there should be none/,
    );
    assert.throws(() => check({ method: 'HEAD' }), /a body where there should be none/);
  });

  it('checks the content of envelopes', () => {
    const url = '/api/service/v2/ships/Elida?envelope=true';
    check({ url, body: { content: ship, status: 200 } });
    check({ url: '/api/service/v2/ships?envelope=true', body: { links, results: [], status: 200 } });
    assert.throws(() => check({ body: { content: ship, status: 200 } }), /an envelope that nobody asked for/);
    assert.throws(() => check({ url, body: ship }), /the envelope is not one/);
    assert.throws(() => check({ url, body: { content: ship, status: 201 } }), /the envelope is not one/);
    assert.throws(
      () => check({ url, body: { content: { name: 'Elida' }, status: 200 } }),
      /required property 'links'/,
    );
  });
});

describe('check of status, media type and headers', () => {
  it('rejects a status that the operation does not have', () => {
    assert.throws(() => check({ status: 202 }), /getShip .*this status is not in the document/);
  });

  it('rejects another media type, and an unknown version', () => {
    assert.throws(
      () => check({ headers: { 'content-type': 'text/html' } }),
      /media type is text\/html instead of/,
    );
    const headers = { 'content-type': 'application/vnd.service.2024-05-30+json' };
    assert.throws(
      () => check({ headers }),
      /there is no document for application\/vnd\.service\.2024-05-30\+json/,
    );
  });

  it("uses the document of the response's version", () => {
    const headers = { 'content-type': 'application/vnd.service.2023-01-01+json' };
    const deprecation = 'Mon, 5 Aug 2024 00:00:00 GMT';
    check({ headers: { ...headers, deprecation } });
    assert.throws(() => check({ headers }), /document 2023-01-01\): header Deprecation is missing/);
    assert.throws(
      () => check({ headers: { ...newest, deprecation } }),
      /header Deprecation on a version that is not/,
    );
  });

  it('requires the error format on any path', () => {
    const body = { errorCode: 'RESOURCE_NOT_FOUND' };
    check({ status: 404, headers: plain, body });
    check({ status: 501, headers: plain, body });
    check({ url: '/api/service/v2/unknown', status: 404, headers: plain, body });
    check({ method: 'PATCH', status: 405, headers: plain, body });
    assert.throws(() => check({ status: 404, headers: plain, body: {} }), /required property 'errorCode'/);
    assert.throws(
      () => check({ url: '/api/service/v2/unknown', body }),
      /this status is not in the document/,
    );
  });

  it('prefers the more specific of two matching paths', () => {
    check({ url: '/api/service/v2/ships/fleet/size', body: { links } });
  });

  it('ignores paths that are not operations', () => {
    check({ url: '/api/oauth/token', headers: plain, body: { access_token: 'x' } });
    check({ url: '/healthz', headers: {}, body: '' });
  });
});
