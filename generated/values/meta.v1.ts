// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of meta/v1.CauseType. */
export const CauseType: readonly string[] = ["FieldValueNotFound", "FieldValueRequired", "FieldValueDuplicate", "FieldValueInvalid", "FieldValueNotSupported", "FieldValueForbidden", "FieldValueTooLong", "FieldValueTooMany", "InternalError", "FieldValueTypeInvalid", "UnexpectedServerResponse", "FieldManagerConflict", "ResourceVersionTooLarge"];

/** The well-known values of meta/v1.ConditionStatus. */
export const ConditionStatus: readonly string[] = ["True", "False", "Unknown"];

/** The well-known values of meta/v1.DeletionPropagation. */
export const DeletionPropagation: readonly string[] = ["Orphan", "Background", "Foreground"];

/** The well-known values of meta/v1.FieldSelectorOperator. */
export const FieldSelectorOperator: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];

/** The well-known values of meta/v1.IncludeObjectPolicy. */
export const IncludeObjectPolicy: readonly string[] = ["None", "Metadata", "Object"];

/** The well-known values of meta/v1.LabelSelectorOperator. */
export const LabelSelectorOperator: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];

/** The well-known values of meta/v1.ManagedFieldsOperationType. */
export const ManagedFieldsOperationType: readonly string[] = ["Apply", "Update"];

/** The well-known values of meta/v1.ResourceVersionMatch. */
export const ResourceVersionMatch: readonly string[] = ["NotOlderThan", "Exact"];

/** The well-known values of meta/v1.RowConditionType. */
export const RowConditionType: readonly string[] = ["Completed"];

/** The well-known values of meta/v1.StatusReason. */
export const StatusReason: readonly string[] = ["Unauthorized", "Forbidden", "NotFound", "AlreadyExists", "Conflict", "Gone", "Invalid", "ServerTimeout", "StorageReadError", "Timeout", "TooManyRequests", "BadRequest", "MethodNotAllowed", "NotAcceptable", "RequestEntityTooLarge", "UnsupportedMediaType", "InternalError", "Expired", "ServiceUnavailable"];
