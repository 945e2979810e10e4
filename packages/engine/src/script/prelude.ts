import { MAX_CODE, MAX_COMPARED, MAX_JOINED, MAX_JSON, MAX_NESTING, MAX_SORTED, MAX_TEXT } from './bounds.ts';
import { PIECE_CHARACTERS, PIECE_VALUES } from './to-text.ts';

/**
 * The globals of the sandbox: BSON types that JavaScript lacks, under the server's names, and the conversion between
 * values and text. The text is JSON, except for tagged objects, in which the field `\u0001` contains the name of a
 * type and the field `v` the value. Long values are split into pieces, because the interpreter cannot be interrupted
 * in a native function. Each piece is a text of its own, which `take` and `give` exchange with the host.
 */
export const prelude = String.raw`
'use strict';
(function (global) {
  const TAG = '\u0001';
  const PIECE_VALUES = ${PIECE_VALUES};
  const PIECE_CHARACTERS = ${PIECE_CHARACTERS};
  const { take, give, tooNested } = global;
  for (const name of ['take', 'give', 'tooNested']) delete global[name];
  const native = { parse: JSON.parse, stringify: JSON.stringify };
  const { parse, stringify } = native;
  const define = (name, value) => Object.defineProperty(global, name, { value, writable: true, configurable: true });
  const callable = (Kind) => new Proxy(Kind, { apply: (_target, _self, args) => new Kind(...args) });
  const quoted = (name, text) => name + '("' + text + '")';

  // Remove BigInt, because arithmetic on large integers takes seconds, during which the interpreter cannot be
  // interrupted.
  const Big = global.BigInt;
  for (const name of ['BigInt', 'BigInt64Array', 'BigUint64Array']) delete global[name];
  for (const name of ['getBigInt64', 'getBigUint64']) delete DataView.prototype[name];
  const integer = (text) => {
    if (text.length > 400) throw new RangeError('a NumberLong of so many digits');
    return Big.asIntN(64, Big(text));
  };
  const checked = (args) => {
    const texts = args.map(String);
    if (texts.some((text) => text.length > ${MAX_CODE})) throw new SyntaxError('code of more than ${MAX_CODE} characters');
    if (texts.some(tooNested)) throw new SyntaxError('code with more than ${MAX_NESTING} nested brackets');
    if (texts.some((text) => /(?<![\w$])\d[\da-fA-FxXoO_]*n(?![\w$])/.test(text))) throw new SyntaxError('scripts cannot use BigInt');
    return texts;
  };
  const checking = (Native) => new Proxy(Native, {
    apply: (target, _self, args) => target(...checked(args)),
    construct: (target, args, made) => Reflect.construct(target, checked(args), made),
  });
  for (const f of [function () {}, function* () {}, async function () {}, async function* () {}]) {
    const Kind = Object.getPrototypeOf(f);
    Object.defineProperty(Kind, 'constructor', { value: checking(Kind.constructor), configurable: true });
  }
  define('Function', (function () {}).constructor);
  const evaluate = global.eval;
  define('eval', (code) => evaluate(typeof code === 'string' ? checked([code])[0] : code));

  class ObjectId {
    constructor(text) {
      this.str = text === undefined ? ObjectId.fresh() : String(text).toLowerCase();
      if (!/^[0-9a-f]{24}$/.test(this.str)) throw new TypeError('invalid object id: length');
    }
    static fresh() {
      const digits = (n, width) => Math.floor(n).toString(16).padStart(width, '0');
      return digits(Date.now() / 1000, 8) + digits(Math.random() * 2 ** 40, 10) + digits(Math.random() * 2 ** 24, 6);
    }
    getTimestamp() { return new Date(parseInt(this.str.slice(0, 8), 16) * 1000); }
    equals(other) { return other instanceof ObjectId && other.str === this.str; }
    toString() { return quoted('ObjectId', this.str); }
    valueOf() { return this.str; }
    toJSON() { return { $oid: this.str }; }
  }
  class NumberLong {
    constructor(value = 0) { this.text = integer(String(typeof value === 'number' ? Big(Math.trunc(value)) : value)).toString(); }
    toNumber() { return Number(this.text); }
    valueOf() { return Number(this.text); }
    compare(other) { const [a, b] = [integer(this.text), integer(new NumberLong(other).text)]; return a < b ? -1 : a > b ? 1 : 0; }
    toString() { return Number.isSafeInteger(Number(this.text)) ? 'NumberLong(' + this.text + ')' : quoted('NumberLong', this.text); }
    toJSON() { return { $numberLong: this.text }; }
  }
  class NumberInt {
    constructor(value = 0) { this.value = Number(value) | 0; }
    toNumber() { return this.value; }
    valueOf() { return this.value; }
    toString() { return 'NumberInt(' + this.value + ')'; }
    toJSON() { return this.value; }
  }
  class NumberDecimal {
    constructor(value = '0') { this.text = String(value instanceof NumberDecimal ? value.text : value); }
    valueOf() { return Number(this.text); }
    toString() { return quoted('NumberDecimal', this.text); }
    toJSON() { return { $numberDecimal: this.text }; }
  }
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bytesOf = (text) => {
    const bytes = [];
    let bits = 0, count = 0;
    for (const letter of text.replace(/=+$/, '')) {
      bits = (bits << 6) | letters.indexOf(letter);
      count += 6;
      if (count >= 8) { count -= 8; bytes.push((bits >> count) & 255); bits &= (1 << count) - 1; }
    }
    return bytes;
  };
  const textOf = (bytes) => {
    let text = '';
    for (let i = 0; i < bytes.length; i += 3) {
      const bits = (bytes[i] << 16) | ((bytes[i + 1] || 0) << 8) | (bytes[i + 2] || 0);
      for (let j = 0; j < 4; j++) text += i * 8 + j * 6 < bytes.length * 8 ? letters[(bits >> (18 - j * 6)) & 63] : '=';
    }
    return text;
  };
  const hexOf = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const fromHex = (text) => (text.match(/../g) || []).map((pair) => parseInt(pair, 16));
  class BinData {
    constructor(type, data) { this.type = Number(type); this.data = String(data); }
    get len() { return bytesOf(this.data).length; }
    length() { return this.len; }
    subtype() { return this.type; }
    base64() { return this.data; }
    hex() { return hexOf(bytesOf(this.data)); }
    toString() { return 'BinData(' + this.type + ',"' + this.data + '")'; }
    toJSON() { return { $binary: this.data, $type: this.type.toString(16).padStart(2, '0') }; }
  }
  class Timestamp {
    constructor(t = 0, i = 0) { this.t = Number(t); this.i = Number(i); }
    getTime() { return this.t; }
    getInc() { return this.i; }
    toString() { return 'Timestamp(' + this.t + ', ' + this.i + ')'; }
    toJSON() { return { $timestamp: { t: this.t, i: this.i } }; }
  }
  class MinKey { toString() { return 'MinKey'; } toJSON() { return { $minKey: 1 }; } }
  class MaxKey { toString() { return 'MaxKey'; } toJSON() { return { $maxKey: 1 }; } }
  class Code { constructor(code = '') { this.code = String(code); } toString() { return this.code; } }
  class DBRef { constructor(ref, id, db) { this.$ref = ref; this.$id = id; if (db !== undefined) this.$db = db; } }
  class DBPointer { constructor(ns, id) { this.ns = ns; this.id = id; } }

  for (const Kind of [ObjectId, NumberLong, NumberInt, NumberDecimal, BinData, Timestamp, MinKey, MaxKey, Code, DBRef, DBPointer]) {
    define(Kind.name, callable(Kind));
  }
  define('ObjectID', global.ObjectId);
  define('ISODate', (text) => {
    const date = text === undefined ? new Date() : new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) || /^\d{4}-\d\d-\d\d$/.test(text) ? text : text + 'Z');
    if (Number.isNaN(date.getTime())) throw new TypeError('invalid ISO date: ' + text);
    return date;
  });
  define('HexData', (type, hex) => new BinData(type, textOf(fromHex(hex))));
  define('UUID', (text) => new BinData(4, textOf(fromHex(text.replace(/-/g, '')))));
  define('MD5', (hex) => new BinData(5, textOf(fromHex(hex))));
  const nothing = () => undefined;
  for (const name of ['print', 'printjson', 'printjsononeline', 'gc']) define(name, nothing);
  define('tojson', (value) => JSON.stringify(value));
  define('tojsononeline', (value) => JSON.stringify(value));
  define('tojsonObject', (value) => JSON.stringify(value));
  define('doassert', (message) => { throw message instanceof Error ? message : new Error(String(message)); });
  define('assert', (condition, message) => { if (!condition) global.doassert('assert failed' + (message === undefined ? '' : ' : ' + message)); });
  define('version', () => 'QuickJS');
  define('args', undefined);
  define('isNumber', (value) => typeof value === 'number');
  define('isString', (value) => typeof value === 'string');
  define('isObject', (value) => typeof value === 'object' && value !== null);
  Array.sum = (values) => values.length === 0 ? null : values.reduce((sum, value) => sum + value);
  Array.avg = (values) => values.length === 0 ? null : Array.sum(values) / values.length;
  Array.contains = (values, value) => values.includes(value);
  Array.unique = (values) => [...new Set(values)];
  Object.extend = (target, source) => Object.assign(target, source);
  Date.timeFunc = nothing;

  // Replace these methods: they compare the searched text at every position, and the interpreter cannot be interrupted
  // in them.
  const searching = { indexOf: null, lastIndexOf: null, includes: null, split: Symbol.split, replace: Symbol.replace, replaceAll: Symbol.replace };
  for (const [name, by] of Object.entries(searching)) {
    const native = String.prototype[name];
    const bounded = { [name](what, ...more) {
      if (this === undefined || this === null || what === undefined || typeof what === 'symbol') return native.call(this, what, ...more);
      const isPattern = what instanceof RegExp;
      if (isPattern && (name === 'includes' || (name === 'replaceAll' && !what.global))) return native.call('', /a/);
      const own = by !== null && typeof what === 'object' && what !== null ? what[by] : undefined;
      if (typeof own === 'function') return own.call(what, this, ...more);
      const text = String(this);
      const given = String(what);
      if (text.length * given.length > ${MAX_COMPARED}) throw new RangeError(name + ' of so long a text in so long a text would take too long');
      return native.call(text, given, ...more);
    } };
    Object.defineProperty(String.prototype, name, { value: bounded[name], writable: true, configurable: true });
  }

  const redefine = (target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true });
  const bound = (target, name, most, sizeOf) => {
    const own = target[name];
    redefine(target, name, { [name](...given) {
      if (sizeOf(this, given) > most) throw new RangeError(name + ' of so long a ' + (most === ${MAX_TEXT} ? 'text' : 'list'));
      return own.apply(this, given);
    } }[name]);
  };
  for (const name of ['normalize', 'split', 'replace', 'replaceAll', 'toUpperCase', 'toLowerCase', 'toLocaleUpperCase', 'toLocaleLowerCase'])
    bound(String.prototype, name, ${MAX_TEXT}, (text) => text === undefined || text === null ? 0 : String(text).length);
  for (const name of ['encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent', 'escape', 'unescape'])
    bound(global, name, ${MAX_TEXT}, (_global, [text]) => String(text).length);
  const entriesOf = (list) => list === undefined || list === null ? 0 : list.length;
  for (const name of ['join', 'toString', 'toLocaleString']) bound(Array.prototype, name, ${MAX_JOINED}, entriesOf);
  bound(Array.prototype, 'concat', ${MAX_JOINED}, (list, given) => given.reduce((sum, one) => sum + (Array.isArray(one) ? one.length : 1), entriesOf(list)));
  const byText = (a, b) => { const [left, right] = [String(a), String(b)]; return left < right ? -1 : left > right ? 1 : 0; };
  const byNumber = (a, b) => a < b ? -1 : a > b ? 1 : a !== a ? (b !== b ? 0 : 1) : b !== b ? -1 : Object.is(a, b) ? 0 : Object.is(a, -0) ? -1 : 1;
  for (const [Kind, order] of [[Array, byText], [Object.getPrototypeOf(Uint8Array), byNumber]]) {
    for (const name of ['sort', 'toSorted']) {
      const own = Kind.prototype[name];
      redefine(Kind.prototype, name, { [name](compare) {
        return own.call(this, compare === undefined && this.length > ${MAX_SORTED} ? order : compare);
      } }[name]);
    }
  }
  redefine(JSON, 'stringify', function stringify(value, replacer = (_name, kept) => kept, space) { return native.stringify(value, replacer, space); });
  redefine(JSON, 'parse', function parse(text, reviver) {
    const given = String(text);
    if (given.length > ${MAX_JSON}) throw new RangeError('JSON of more than ${MAX_JSON} characters');
    return native.parse(given, reviver);
  });

  const makers = {
    n: (v) => Number(v), i: (v) => new NumberInt(v), l: (v) => new NumberLong(v), D: (v) => new NumberDecimal(v),
    d: (v) => new Date(v), o: (v) => new ObjectId(v), b: ([type, data]) => new BinData(type, data),
    r: ([pattern, flags]) => { try { return new RegExp(pattern, flags); } catch { return new RegExp('(?:)'); } },
    t: ([t, i]) => new Timestamp(t, i), m: () => new MinKey(), M: () => new MaxKey(), u: () => undefined,
    c: (v) => new Code(v), p: ([ns, id]) => new DBPointer(ns, new ObjectId(id)),
    x: (v) => {
      const made = {};
      for (const [name, value] of revived(v)) {
        if (name === '__proto__') Object.defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true });
        else made[name] = value;
      }
      return made;
    },
    L: (v) => {
      const all = [];
      for (const number of v) for (const entry of parse(take(number))) all.push(revived(entry));
      return all;
    },
    T: (v) => v.map((number) => take(number)).join(''),
  };
  const revived = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) { for (let i = 0; i < value.length; i++) value[i] = revived(value[i]); return value; }
    if (Object.prototype.hasOwnProperty.call(value, TAG)) return makers[value[TAG]](value.v);
    for (const name in value) value[name] = revived(value[name]);
    return value;
  };
  const tag = (type, v) => ({ [TAG]: type, v });
  let values = 0;
  const newList = () => {
    const numbers = [];
    let part = [];
    let from = values;
    const close = () => { numbers.push(give(stringify(part))); part = []; from = values; };
    return {
      add(entry) { part.push(entry); if (values - from > PIECE_VALUES) close(); },
      end() { if (numbers.length === 0) return part; close(); return tag('L', numbers); },
    };
  };
  const list = (entries, write) => {
    const made = newList();
    for (let i = 0; i < entries.length; i++) made.add(write(entries[i]));
    return made.end();
  };
  const longText = (text) => {
    const numbers = [];
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) numbers.push(give(text.slice(at, at + PIECE_CHARACTERS)));
    return tag('T', numbers);
  };
  const plain = (value) => {
    values++;
    switch (typeof value) {
      case 'number': return Number.isFinite(value) && !Object.is(value, -0) ? value : tag('n', Object.is(value, -0) ? '-0' : String(value));
      case 'string': return value.length > PIECE_CHARACTERS ? longText(value) : value;
      case 'undefined': return tag('u');
      case 'function': return tag('c', value.toString());
      case 'symbol': return value.toString();
      case 'object': return value === null ? null : plainObject(value);
      default: return value;
    }
  };
  const plainObject = (value) => {
    if (Array.isArray(value)) return list(value, plain);
    if (value instanceof Date) return tag('d', value.getTime());
    if (value instanceof ObjectId) return tag('o', value.str);
    if (value instanceof NumberLong) return tag('l', value.text);
    if (value instanceof NumberInt) return tag('i', value.value);
    if (value instanceof NumberDecimal) return tag('D', value.text);
    if (value instanceof BinData) return tag('b', [value.type, value.data]);
    if (value instanceof RegExp) return tag('r', [value.source, value.flags]);
    if (value instanceof Timestamp) return tag('t', [value.t, value.i]);
    if (value instanceof MinKey) return tag('m');
    if (value instanceof MaxKey) return tag('M');
    if (value instanceof Code) return tag('c', value.code);
    if (value instanceof DBPointer) return tag('p', [value.ns, value.id.str]);
    if (value instanceof Number || value instanceof String || value instanceof Boolean) return plain(value.valueOf());
    return tag('x', list(Object.keys(value), (name) => [name, plain(value[name])]));
  };
  const argumentsOf = (text, tagged) => { const given = parse(text); return tagged ? revived(given) : given; };
  let emitted;
  define('emit', (key, value) => { if (emitted) emitted.add([plain(key), plain(value)]); });
  return {
    call: (f, text, tagged) => { const [self, args] = argumentsOf(text, tagged); return stringify(plain(f.apply(self === null ? undefined : self, args))); },
    test: (f, text, tagged) => { const [self] = argumentsOf(text, tagged); global.obj = self; return Boolean(f.call(self)); },
    emits: (f, text, tagged) => { const [self] = argumentsOf(text, tagged); emitted = newList(); f.call(self); const all = emitted.end(); emitted = undefined; return stringify(all); },
  };
})(globalThis)
`;
