import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Ports } from './ports.ts';

const range = { from: 1, to: 6, first: 4 };
const freeBut =
  (...taken: number[]) =>
  async (port: number) =>
    !taken.includes(port);

suite('Ports', () => {
  test('ports are taken from the first one on, then from the start of the range', async () => {
    const ports = new Ports(range);
    const taken: number[] = [];
    for (let i = 0; i < 6; i++) taken.push(await ports.take(freeBut()));
    assert.deepEqual(taken, [4, 5, 6, 1, 2, 3]);
    await assert.rejects(ports.take(freeBut()), { message: 'no port is free from 1 to 6' });
  });

  test('a port of another program or another deployment is passed over', async () => {
    const ports = new Ports(range);
    ports.hold(4);
    assert.equal(await ports.take(freeBut(5)), 6);
  });

  test('a released port is used again', async () => {
    const ports = new Ports(range);
    const port = await ports.take(freeBut());
    ports.release(port);
    assert.equal(await ports.take(freeBut()), port);
  });

  test('two that take at the same time get two ports', async () => {
    const ports = new Ports(range);
    assert.deepEqual(await Promise.all([ports.take(freeBut()), ports.take(freeBut())]), [4, 5]);
  });

  test('an error other than a taken port is passed on and holds nothing', async () => {
    const ports = new Ports(range);
    await assert.rejects(
      ports.take(() => Promise.reject(new Error('EACCES'))),
      { message: 'EACCES' },
    );
    assert.equal(await ports.take(freeBut()), 4);
  });
});
