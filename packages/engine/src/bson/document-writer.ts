import { ByteWriter } from './byte-writer.ts';
import { encodeName, RawDocument } from './raw.ts';
import type { Element, Value } from './value.ts';

/** Array indexes up to this one have cached names. */
const FEW = 256;
const ZERO = 0x30;

/** Writes a document field by field and copies values byte for byte. */
export class DocumentWriter extends ByteWriter {
  /** Starts a document or array; pass the returned offset to `end`. */
  begin(): number {
    this.int32(0);
    return this.length - 4;
  }

  end(start: number): void {
    this.byte(0);
    this.patchInt32(start, this.length - start);
  }

  /** Writes the type byte and the name that precede a value. */
  head(type: number, name: string): void {
    this.byte(type);
    this.span(encodeName(name));
    this.byte(0);
  }

  field(name: string, value: Value): void {
    this.head(value.type, name);
    this.span(value.bytes, value.start, value.end);
  }

  /** Writes an entry of an array. Its number is not a name that is worth caching. */
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

  /** Copies a whole element, including its name. */
  element(element: Element): void {
    this.span(element.bytes, element.nameStart - 1, element.end);
  }
}

/** Builds the document whose fields `write` writes. */
export function writeDocument(write: (writer: DocumentWriter) => void): RawDocument {
  const writer = new DocumentWriter();
  const start = writer.begin();
  write(writer);
  writer.end(start);
  return new RawDocument(writer.finish());
}
