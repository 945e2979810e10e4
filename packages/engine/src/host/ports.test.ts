import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Ports } from './ports.ts';

const range = { from: 1, to: 6, first: 4 };
const freeBut =
  (...taken: number[]) =>
  async (port: number) =>
    !taken.includes(port);

suite('Ports', () => {
  test('assigns ports from the start of the range', async () => {
    const ports = new Ports(range);
    const taken: number[] = [];
    for (let i = 0; i < 6; i++) taken.push(await ports.take(freeBut()));
    assert.deepEqual(taken, [4, 5, 6, 1, 2, 3]);
    await assert.rejects(ports.take(freeBut()), { message: 'no port is free from 1 to 6' });
  });

  test('skips ports of other programs and other deployments', async () => {
    const ports = new Ports(range);
    ports.hold(4);
    assert.equal(await ports.take(freeBut(5)), 6);
  });

  test('reuses a released port', async () => {
    const ports = new Ports(range);
    const port = await ports.take(freeBut());
    ports.release(port);
    assert.equal(await ports.take(freeBut()), port);
  });

  test('assigns different ports to simultaneous requests', async () => {
    const ports = new Ports(range);
    assert.deepEqual(await Promise.all([ports.take(freeBut()), ports.take(freeBut())]), [4, 5]);
  });

  test('passes on errors other than a port in use, and holds nothing', async () => {
    const ports = new Ports(range);
    await assert.rejects(
      ports.take(() => Promise.reject(new Error('EACCES'))),
      { message: 'EACCES' },
    );
    assert.equal(await ports.take(freeBut()), 4);
  });
});
