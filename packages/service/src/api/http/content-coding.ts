import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib';
import { headerList } from './header-list.ts';

/** Compression with level 9 takes a tenth of the time of level 11. The compressed files are 10% larger. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Supported content codings, the preferred one first. */
const compressors = {
  br: (content: Buffer) => promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)(content, brotli),
  gzip: promisify<Buffer, Buffer>(gzip),
};
type Coding = keyof typeof compressors;
const codings = Object.keys(compressors) as Coding[];

/** A body and the headers that describe its coding. */
interface CodedBody {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A body that does not change. It is compressed once for each content coding that clients request. */
export class CompressibleBody {
  readonly #content: string | Buffer;
  readonly #packed = new Map<Coding, Promise<Buffer>>();

  constructor(content: string | Buffer) {
    this.#content = content;
  }

  /** Returns the body in a coding that the headers of a request accept. */
  async for({ 'accept-encoding': accept }: IncomingHttpHeaders): Promise<CodedBody> {
    const vary = { vary: 'accept-encoding' };
    const accepted = headerList(accept?.toString() ?? '');
    const coding = codings.find((one) => accepted.includes(one));
    if (coding === undefined) return { body: this.#content, headers: vary };
    const packed = this.#packed.get(coding) ?? compressors[coding](Buffer.from(this.#content));
    this.#packed.set(coding, packed);
    return { body: await packed, headers: { ...vary, 'content-encoding': coding } };
  }
}
