// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of audit/v1.Level. */
export const Level: readonly string[] = ["None", "Metadata", "Request", "RequestResponse"];

/** The well-known values of audit/v1.Stage. */
export const Stage: readonly string[] = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];
