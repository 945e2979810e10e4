import { mediaTypeOf } from '../addresses.ts';
import type { AnyOperation } from '../operation.ts';
import { type Fields, fieldReader } from '../schema/body-fields.ts';
import { mayHold } from '../schema/json-schema.ts';
import { type Presenter, presenter } from '../schema/presenter.ts';
import { type Validator, validator } from '../schema/validator.ts';
import { type Shape, shapeIn } from '../shapes.ts';
import { supportHeaders } from '../support.ts';
import type { ReleaseDate } from '../versions.ts';
import type { Surface } from './surface.ts';

/** The body schema of an operation without a body. */
const noFields = { type: 'object', properties: {} };

/** One version of an operation below one base path, prepared for requests. */
export class OperationVersion {
  readonly operation: AnyOperation;
  readonly surface: Surface;
  readonly version: ReleaseDate;
  /** The shape of the operation in this version. Undefined if the version is not served. */
  readonly shape: Shape | undefined;
  readonly contentType: string;
  /** The headers `Deprecation` and `Sunset`. */
  readonly headers: Readonly<Record<string, string>>;
  #reader: ((document: unknown) => Fields) | undefined;
  #validator: Validator | undefined;
  #presenter: Presenter | undefined;
  #ownPresenter: Presenter | undefined;

  constructor(operation: AnyOperation, version: ReleaseDate, surface: Surface) {
    this.operation = operation;
    this.surface = surface;
    this.version = version;
    this.shape = shapeIn(operation, version);
    const versioned = surface.kind === 'versioned';
    const { bytes = 'json' } = operation;
    const charset = versioned && bytes === 'json' ? ';charset=utf-8' : '';
    this.contentType =
      mediaTypeOf(bytes, versioned ? version : undefined, surface.dialect.mediaPrefix) + charset;
    // The legacy path sends no deprecation headers (docs/contract/access.md 4).
    this.headers = versioned && this.shape ? supportHeaders(this.shape.support) : {};
  }

  get #body(): object {
    return this.shape?.body ?? noFields;
  }

  /** Whether the body may be an object. A missing body then counts as an empty object. */
  get takesObject(): boolean {
    return mayHold(this.#body, {});
  }

  /** Reads the fields of a body; throws for an unknown field. */
  read(document: unknown): Fields {
    this.#reader ??= fieldReader(this.#body, {
      isLenient: this.surface.dialect.changes?.isLenient === true,
    });
    return this.#reader(document);
  }

  get validate(): Validator {
    this.#validator ??= validator(this.#body);
    return this.#validator;
  }

  /** Presents an entity in the shape of this version. */
  get present(): Presenter {
    this.#presenter ??= presenter(this.shape?.reply ?? {});
    return this.#presenter;
  }

  /** Presents an entity in the operation's own shape. */
  get presentOwn(): Presenter {
    if (this.shape?.reply === this.operation.reply) return this.present;
    this.#ownPresenter ??= presenter(this.operation.reply ?? {});
    return this.#ownPresenter;
  }
}
