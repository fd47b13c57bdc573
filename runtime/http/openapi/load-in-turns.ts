import { loadInTurns } from "../../lib/in-turns.ts";

/** Modules for OpenAPI documents, each after the modules that it imports. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import("../../openapi/schemas.ts"),
  () => import("../../openapi/document-v2.ts"),
  () => import("../../openapi/document-v3.ts"),
  () => import("../../openapi/openapi-documents.ts"),
  () => import("../../kinds/custom/openapi/publish-schema.ts"),
  () => import("../../kinds/custom/openapi/publish-paths.ts"),
  () => import("../../kinds/custom/openapi/custom-parts.ts"),
  () => import("./protobuf/section-heads.ts"),
  () => import("./openapi-v2.ts"),
  () => import("./openapi-v3.ts"),
];

/** Loads the modules that serve OpenAPI documents in several turns of the event loop. */
export async function loadOpenApiInTurns(): Promise<typeof import("./serve-openapi.ts")> {
  await loadInTurns(PARTS);
  return import("./serve-openapi.ts");
}
