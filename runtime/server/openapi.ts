import type { ApiRegistry } from "../contract/api-registry.ts";
import { createOpenApi, type OpenApiContext } from "../http/openapi/openapi.ts";
import type { OpenApiEncoder } from "../http/openapi/protobuf/encode-openapi.ts";
import { type CustomDocumentParts, withCustomKinds } from "../kinds/custom/openapi/custom-documents.ts";
import { isPattern } from "../kinds/custom/openapi/publish-paths.ts";
import { createOpenApiDocuments, type OpenApiDocuments } from "../openapi/openapi-documents.ts";

export interface ServedDocuments extends Pick<OpenApiContext, "surface" | "remote"> {
  readonly vendor: string;
  readonly registry: () => Pick<ApiRegistry, "readCatalogue" | "openApiSchemas">;
  readonly customDefinitions: CustomDocumentParts["definitions"];
}

/** Documents of paths that belong to no group. */
const OTHER_DOCUMENTS = [".well-known/openid-configuration", "api", "apis", "logs", "openid/v1/jwks", "version"];

/** Handler of requests below `/openapi`. */
export function serveOpenApi({ surface, remote, vendor, registry, customDefinitions }: ServedDocuments) {
  let encoder: OpenApiEncoder | undefined;
  return createOpenApi({
    surface,
    documents: {
      build: withCustomKinds({
        build: documentReader(registry, surface),
        definitions: customDefinitions,
        vendor,
      }),
      otherPaths: OTHER_DOCUMENTS,
    },
    remote,
    encodeProtobuf: async (job) => {
      const { OpenApiEncoder } = await import("../http/openapi/protobuf/encode-openapi.ts");
      encoder ??= new OpenApiEncoder();
      return encoder.encode(job);
    },
  });
}

/** How long schemas are cached for the next document. Responses are cached as text. */
const KEPT_MS = 1000;

/** Reads documents of what is served, and of the kind after which paths of custom kinds are made. */
function documentReader(
  registry: ServedDocuments["registry"],
  surface: ServedDocuments["surface"],
): OpenApiDocuments["build"] {
  let documents: OpenApiDocuments | undefined;
  let served = surface();
  return (path) => {
    if (documents === undefined || served !== surface()) {
      served = surface();
      // All kinds: the pattern of custom kinds is one that not every base serves.
      const catalogue = registry().readCatalogue();
      const resources = catalogue.resources.filter(
        (one) => served.find(one.group, one.version, one.resource) !== undefined || isPattern(one),
      );
      documents = createOpenApiDocuments({ ...catalogue, resources }, registry().openApiSchemas);
      setTimeout(() => {
        documents = undefined;
      }, KEPT_MS).unref();
    }
    return documents.build(path);
  };
}
