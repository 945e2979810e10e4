/** The body of every refusal (contract 7). */
export const errorSchema = {
  type: 'object',
  description: 'Why a request was refused.',
  additionalProperties: false,
  required: ['detail', 'error', 'errorCode', 'reason'],
  properties: {
    badRequestDetail: {
      type: 'object',
      description: 'The fields of the request that are at fault.',
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
    detail: { type: 'string', description: 'What happened, in words.' },
    error: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    errorCode: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$', description: 'What happened, as a constant.' },
    parameters: {
      type: ['array', 'null'],
      description: 'The values in `detail`, in its order.',
      items: {},
    },
    reason: { type: 'string', description: 'The phrase of the HTTP status.' },
  },
} as const;
