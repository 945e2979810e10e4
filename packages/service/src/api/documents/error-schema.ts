/** The body of every error response (docs/contract/api.md 7). */
export const errorSchema = {
  type: 'object',
  description: 'An error: the reason why a request failed.',
  additionalProperties: false,
  required: ['detail', 'error', 'errorCode', 'reason'],
  properties: {
    badRequestDetail: {
      type: 'object',
      description: 'The invalid fields of the request.',
      additionalProperties: false,
      required: ['fields'],
      properties: {
        fields: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['description', 'field'],
            properties: { description: { type: 'string' }, field: { type: 'string' } },
          },
        },
      },
    },
    detail: { type: 'string', description: 'A sentence that describes the error.' },
    error: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    errorCode: {
      type: 'string',
      pattern: '^[A-Z][A-Z0-9_]*$',
      description: 'A constant that identifies the kind of error.',
    },
    parameters: {
      type: ['array', 'null'],
      description: 'The variable parts of `detail`, such as ids and limits, in the order of the text.',
      items: {},
    },
    reason: { type: 'string', description: 'The reason phrase of the HTTP status.' },
  },
} as const;
