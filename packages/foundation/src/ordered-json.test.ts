import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayReorder, parseInOrder, stringifyInOrder, unmarked } from './ordered-json.ts';

const texts = [
  '{"b":1,"20":2,"1":{"z":0,"7":[{"9":1,"8":2}]},"a":"x"}',
  String.raw`{"_id":1,"00":"\"5\":","-1":2,"1.5":3}`,
  String.raw`{"\\":"\\","1\"":1,"3":1,"":2}`,
  '{"\uf8fe1":1,"\uf8fe":2,"1":"\uf8fe2","2":"x"}',
  '[{"x":"5","3":{}}," 4 ",null,7]',
];

test('fields keep their order, whatever their names', () => {
  for (const text of texts) assert.equal(stringifyInOrder(parseInOrder(text)), text);
});

test('an escaped name is recognized', () => {
  const text = String.raw`{"a": 1, "\u0031" : 2}`;
  assert.equal(stringifyInOrder(parseInOrder(text)), '{"a":1,"1":2}');
});

test('a text without numeric names is parsed as usual', () => {
  const text = '{"a":{"b":[1,"x"]}}';
  assert.equal(mayReorder(text), false);
  assert.deepEqual(parseInOrder(text), JSON.parse(text));
});

test('names lose only their own marker', () => {
  const names = Object.keys(parseInOrder('{"b":0,"5":1,"\uf8fe5":2}') as object);
  assert.deepEqual(names.map(unmarked), ['b', '5', '\uf8fe5']);
});

test('an error gives the position in the original text', () => {
  const message = (parse: (text: string) => unknown) => {
    try {
      return parse('{"5": 1, "6": }');
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(message(parseInOrder), message(JSON.parse));
});
