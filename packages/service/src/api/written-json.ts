import { parseInOrder } from '@portolan/foundation/ordered-json';

/** A part of a response that is JSON text already, such as the reply of a database. Responses contain it unchanged. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Returns the parsed value for responses that are indented. Field names that are integers have a marker,
   * because JavaScript would otherwise move these fields to the front.
   */
  parsed(): unknown {
    return parseInOrder(this.text);
  }
}
