import type { Json } from "./json.ts";
import type { Dialect, DocumentSchemas } from "./schemas.ts";

const REQUIRED = [
  "major",
  "minor",
  "gitVersion",
  "gitCommit",
  "gitTreeState",
  "buildDate",
  "goVersion",
  "compiler",
  "platform",
];
const OPTIONAL = ["emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor"];

/** A path of the server itself, not of a kind. */
interface ServerPath {
  readonly path: string;
  readonly tag: string;
  readonly operationId: string;
  readonly description: string;
  readonly produces: string;
  readonly consumes?: string;
}

const VERSION: ServerPath = {
  path: "/version/",
  tag: "version",
  operationId: "getCodeVersion",
  description: "Returns the version of the server.",
  produces: "application/json",
  consumes: "application/json",
};
const OPENID_CONFIGURATION: ServerPath = {
  path: "/.well-known/openid-configuration/",
  tag: "WellKnown",
  operationId: "getServiceAccountIssuerOpenIDConfiguration",
  description:
    "Returns the OpenID configuration of the service account issuer, with which other services verify service account tokens.",
  produces: "application/json",
};
const KEYS: ServerPath = {
  path: "/openid/v1/jwks/",
  tag: "openid",
  operationId: "getServiceAccountIssuerOpenIDKeyset",
  description: "Returns the public keys that verify service account tokens, as a JSON Web Key Set.",
  produces: "application/jwk-set+json",
};

/** The server's own paths by OpenAPI v3 document. */
export const SERVER_PATHS: { readonly [document: string]: readonly ServerPath[] } = {
  version: [VERSION],
  ".well-known/openid-configuration": [OPENID_CONFIGURATION],
  "openid/v1/jwks": [KEYS],
};

/** Returns the server's own paths for a document of one version of OpenAPI. */
export function serverPaths(paths: readonly ServerPath[], dialect: Dialect, prefix: string) {
  return (written: DocumentSchemas): [string, Json][] =>
    paths.map((one): [string, Json] => {
      const schema =
        one === VERSION
          ? written.add(`${prefix}.apimachinery.pkg.version.Info`, versionInfo(dialect))
          : { type: "string" };
      return [one.path, { get: dialect === "v3" ? shapeV3(one, schema) : shapeV2(one, schema) }];
    });
}

function shapeV3({ tag, description, operationId, produces }: ServerPath, schema: Json): Json {
  const answers = {
    200: { description: "OK", content: { [produces]: { schema } } },
    401: { description: "Unauthorized" },
  };
  return { tags: [tag], description, operationId, responses: answers };
}

function shapeV2({ tag, description, operationId, produces, consumes }: ServerPath, schema: Json): Json {
  return {
    description,
    ...(consumes !== undefined && { consumes: [consumes] }),
    produces: [produces],
    schemes: ["https"],
    tags: [tag],
    operationId,
    responses: { 200: { description: "OK", schema }, 401: { description: "Unauthorized" } },
  };
}

function versionInfo(dialect: Dialect): Json {
  const text = { type: "string" };
  const always = dialect === "v3" ? { type: "string", default: "" } : text;
  const properties = [...REQUIRED.map((name) => [name, always]), ...OPTIONAL.map((name) => [name, text])].sort();
  return {
    description: "Version and build information of the server.",
    type: "object",
    required: REQUIRED,
    properties: Object.fromEntries(properties),
  };
}
