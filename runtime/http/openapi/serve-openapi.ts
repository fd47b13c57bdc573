import { setTimeout } from "node:timers";
import type { ApiRegistry } from "../../contract/api-registry.ts";
import { isPattern } from "../../kinds/custom/openapi/publish-paths.ts";
import { createOpenApiDocuments, type OpenApiDocuments } from "../../openapi/openapi-documents.ts";
import { withoutEnums } from "../../openapi/without-enums.ts";
import { createOpenApi } from "./openapi.ts";
import type { OpenApiContext } from "./openapi-context.ts";
import type { OpenApiEncoder } from "./protobuf/encode-openapi.ts";

export interface ServedDocuments extends Pick<OpenApiContext, "surface" | "remote"> {
  readonly vendor: string;
  readonly registry: () => Pick<ApiRegistry, "readCatalogue" | "openApiSchemas">;
  /** Whether schemas list the allowed values of strings: the feature gate OpenAPIEnums. Schemas of custom resources always do. */
  readonly enums: boolean;
}

/** Paths of documents that belong to no group. */
const OTHER_DOCUMENTS = [".well-known/openid-configuration", "api", "apis", "logs", "openid/v1/jwks", "version"];

/** Returns the handler of requests below `/openapi`. */
export function serveOpenApi({ surface, remote, vendor, registry, enums }: ServedDocuments) {
  let encoder: OpenApiEncoder | undefined;
  const loadEncoder = async (): Promise<OpenApiEncoder> => {
    const { OpenApiEncoder } = await import("./protobuf/encode-openapi.ts");
    encoder ??= new OpenApiEncoder();
    return encoder;
  };
  return createOpenApi({
    surface,
    documents: { build: documentReader({ registry, surface, enums }), otherPaths: OTHER_DOCUMENTS },
    remote,
    vendor,
    encodeV3: async (json) => (await loadEncoder()).encode({ json, version: "v3" }),
    encodeV2: async (jsons) => (await loadEncoder()).encodeV2(jsons),
  });
}

/** How long schemas are cached for the next document. Responses are cached as bytes. */
const KEPT_MS = 1000;

/** Returns a function that builds documents of the served kinds, and of the kind that is the pattern for the paths of custom kinds. */
function documentReader({
  registry,
  surface,
  enums,
}: Pick<ServedDocuments, "registry" | "surface" | "enums">): OpenApiDocuments["build"] {
  let documents: OpenApiDocuments | undefined;
  let { builtIn } = surface();
  return (path) => {
    const served = surface();
    if (documents === undefined || builtIn !== served.builtIn) {
      builtIn = served.builtIn;
      // Reads all kinds: not every base serves the kind that is the pattern for custom kinds.
      const catalogue = registry().readCatalogue();
      const resources = catalogue.resources.filter(
        (one) => served.find(one.group, one.version, one.resource) !== undefined || isPattern(one),
      );
      const { openApiSchemas } = registry();
      const schemas = enums ? openApiSchemas : withoutEnums(openApiSchemas);
      documents = createOpenApiDocuments({ ...catalogue, resources }, schemas);
      setTimeout(() => {
        documents = undefined;
      }, KEPT_MS).unref();
    }
    return documents.build(path);
  };
}
