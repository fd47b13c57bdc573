import type { ApiObject } from "../../contract/api-object.ts";
import type { ExpectedType } from "../../resource/decode-object.ts";
import type { Schemas } from "../../schema/type-schema.ts";
import type { ApiRequest } from "../api-request.ts";
import type { WriteContext } from "../write-context.ts";

/** Expected type of the body of a subresource with its own kind (Scale, Eviction, Binding, TokenRequest). */
export function subresourceType(
  { subresource, resource }: ApiRequest,
  context: WriteContext & { readonly schemas: Schemas },
): ExpectedType {
  const { kind, type } = subresource ?? { kind: resource.descriptor, type: resource.descriptor.type };
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    schema: context.schemas.of<ApiObject>(type),
    goPackage: type.split("/")[0] ?? "",
    kinds: context.kinds,
  };
}
