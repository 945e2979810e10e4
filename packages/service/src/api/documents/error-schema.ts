/** The body of every error response (docs/contract/api.md 7). */
export const errorSchema = {
  type: 'object',
  description: 'Why a request failed.',
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
    detail: { type: 'string', description: 'A description of the error.' },
    error: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    errorCode: {
      type: 'string',
      pattern: '^[A-Z][A-Z0-9_]*$',
      description: 'A constant that identifies the error.',
    },
    parameters: {
      type: ['array', 'null'],
      description: 'The values in `detail`, in order.',
      items: {},
    },
    reason: { type: 'string', description: 'The reason phrase of the HTTP status.' },
  },
} as const;
