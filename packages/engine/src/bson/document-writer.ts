import { ByteWriter } from './byte-writer.ts';
import { encodeName, RawDocument } from './raw.ts';
import type { Element, Value } from './value.ts';

/** Number of array indexes whose names are cached. */
const FEW = 256;
const ZERO = 0x30;

/** Writes a document field by field. Values are copied byte for byte. */
export class DocumentWriter extends ByteWriter {
  /** Starts a document or array. The returned offset must be passed to `end`. */
  begin(): number {
    this.int32(0);
    return this.length - 4;
  }

  end(start: number): void {
    this.byte(0);
    this.patchInt32(start, this.length - start);
  }

  /** Writes the type byte and the name before a value. */
  head(type: number, name: string): void {
    this.byte(type);
    this.span(encodeName(name));
    this.byte(0);
  }

  field(name: string, value: Value): void {
    this.head(value.type, name);
    this.span(value.bytes, value.start, value.end);
  }

  /** Writes an entry of an array. Names of large indexes are not cached. */
  entry(index: number, value: Value): void {
    if (index < FEW) {
      this.field(String(index), value);
      return;
    }
    this.byte(value.type);
    let unit = 1;
    while (unit * 10 <= index) unit *= 10;
    for (; unit >= 1; unit = Math.trunc(unit / 10)) this.byte(ZERO + (Math.trunc(index / unit) % 10));
    this.byte(0);
    this.span(value.bytes, value.start, value.end);
  }

  /** Copies an element with its name. */
  element(element: Element): void {
    this.span(element.bytes, element.nameStart - 1, element.end);
  }
}

/** Creates a document with the fields that `write` writes. */
export function writeDocument(write: (writer: DocumentWriter) => void): RawDocument {
  const writer = new DocumentWriter();
  const start = writer.begin();
  write(writer);
  writer.end(start);
  return new RawDocument(writer.finish());
}
