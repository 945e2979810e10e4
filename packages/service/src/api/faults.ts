import { Fault, faults, fieldFaults } from '@portolan/foundation/faults';

const namingFaults = fieldFaults({
  INVALID_JSON_ATTRIBUTE: [400, 'The value of attribute {0} has the wrong JSON type.'],
  INVALID_ATTRIBUTE: [400, 'Attribute {0} is unknown, misspelled or not allowed here.'],
  ATTRIBUTE_READ_ONLY: [400, 'Attribute {0} is read-only and cannot be changed.'],
  MISSING_ATTRIBUTE: [400, 'The required attribute {0} was not given.'],
  MISSING_ATTRIBUTES: [400, 'The required attributes {0} were not given.'],
  MISSING_OR_INVALID_ATTRIBUTE: [400, 'Attribute {0} is missing or invalid.'],
  MISSING_ONE_OF_ATTRIBUTES: [400, 'Either attribute {0} or attribute {1} must be given.'],
  MISSING_ONE_OF_THREE_ATTRIBUTES: [400, 'One of the attributes {0}, {1} and {2} must be given.'],
  MISSING_ONE_OF_MANY_ATTRIBUTES: [400, 'One of the attributes {0} must be given.'],
  ATTRIBUTE_NEGATIVE: [400, 'Attribute {0} must not be negative.'],
  ATTRIBUTE_NEGATIVE_OR_ZERO: [400, 'Attribute {0} must be greater than zero.'],
  INVALID_QUERY_PARAMETER: [400, 'The query parameter {0} has an invalid value.'],
  MISSING_QUERY_PARAMETER: [400, 'The required query parameter {0} was not given.'],
  MUTUALLY_EXCLUSIVE_QUERY_PARAMETERS: [400, 'The query parameters {0} and {1} are mutually exclusive.'],
  INVALID_PATH_PARAMETER: [400, 'The path parameter {0} has an invalid value.'],
});

/** Error codes of any operation (docs/contract/access.md 3.2, 3.3 "General", 4). */
export const generalFaults = {
  ...namingFaults,
  ...faults({
    // JSON syntax and values
    MALFORMED_JSON: [400, 'The body is not valid JSON.'],
    INVALID_JSON: [400, 'The body is not a JSON document of the kind that this operation accepts.'],
    INVALID_ENUM_VALUE: [400, 'The value {0} is not allowed here.'],
    VALIDATION_ERROR: [400, '{0}'],
    PLATFORM_GENERAL_ERROR: [400, '{0}'],
    GROUP_MISMATCH: [400, 'The project {0} in the body differs from the project in the path.'],
    // Dates
    INVALID_DATE_FORMAT: [400, 'The value {0} is not a date in ISO 8601 form.'],
    INVALID_DATE_RANGE: [400, 'The date {0} is not before the date {1}.'],
    START_DATE_AFTER_END_DATE: [400, 'The start date is after the end date.'],
    EXPIRATION_DATE_IN_PAST: [400, 'The expiration date is in the past.'],
    EXPIRATION_DATE_EXCEEDS_MAX: [400, 'The expiration date is more than {0} days in the future.'],
    FRACTIONAL_TIMESTAMP: [
      400,
      'The timestamp contains a fraction of a second; only whole seconds are accepted.',
    ],
    // Values
    INVALID_URL: [400, '{0} is not a valid URL.'],
    INVALID_EMAIL_ADDRESS: [400, 'The e-mail address is not valid.'],
    INVALID_IP_ADDRESS_OR_CIDR_NOTATION: [400, '{0} is neither an IP address nor a CIDR block.'],
    INVALID_CIDR_BLOCK: [400, '{0} is not a CIDR block.'],
    // Path, version, service
    RESOURCE_NOT_FOUND: [404, 'Cannot find resource {0}.'],
    INVALID_VERSION_DATE: [
      406,
      'The resource version in the Accept header does not exist for this operation.',
    ],
    UNEXPECTED_ERROR: [500, 'The service encountered an unexpected error.'],
    RESOURCE_NOT_AVAILABLE: [501, 'This service does not offer {0}.'],
    OPERATION_NOT_AVAILABLE: [501, 'The operation {0} is not available in this service.'],
    SERVICE_UNAVAILABLE: [503, 'The service cannot process this request at the moment; try again later.'],
  }),
};

/** Creates an HTTP error without an error code of its own: 404, 405, 406, 408, 413, 415, 431. */
export function protocolFault(status: number, detail: string): Fault {
  return new Fault('UNEXPECTED_ERROR', status, detail, []);
}

/** Creates the fault SERVICE_UNAVAILABLE with a reason. */
export function unavailable(reason: string): Fault {
  const detail = `The service cannot process this request at the moment: ${reason}.`;
  return new Fault('SERVICE_UNAVAILABLE', 503, detail, []);
}

/** Creates the fault for a value that violates a length, pattern or range. `field` is the dotted path of the value. */
export function violation(field: string, description: string): Fault {
  return generalFaults
    .VALIDATION_ERROR(`${field} ${description}`.trim())
    .with({ fields: [{ field, description }] });
}

/**
 * Creates the fault for an invalid value of a known field, if the violated rule has no error code of its own
 * (docs/contract/clusters.md 1.2).
 */
export function badValue(field: string, description: string, named = field): Fault {
  const fault = new Fault('INVALID_ATTRIBUTE', 400, `${field} ${description}.`, [named]);
  return fault.with({ fields: [{ field, description }] });
}
