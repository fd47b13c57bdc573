import type { ApiObject } from "../../contract/api-object.ts";
import { apiVersionOf } from "../../contract/group-version.ts";
import type { ColumnDescriptor } from "../../contract/resource-descriptor.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { Schemas } from "../../schema/type-schema.ts";
import type { ApiRequest } from "../api-request.ts";
import type { WriteContext } from "../write-context.ts";
import { subresourceType } from "./subresource-type.ts";

const made = new WeakMap<ServedResource, Map<string, ServedResource>>();

/** Represents a subresource that has its own kind as a resource, for field ownership, patches and Tables. */
export function subresourceResource(
  request: ApiRequest,
  context: WriteContext & { readonly schemas: Schemas },
  columns: readonly ColumnDescriptor[] = [],
): ServedResource {
  const { resource, subresource } = request;
  const name = subresource?.name ?? "";
  let byName = made.get(resource);
  if (byName === undefined) {
    byName = new Map();
    made.set(resource, byName);
  }
  let seen = byName.get(name);
  if (seen === undefined) {
    const expected = subresourceType(request, context);
    const same = (object: ApiObject): ApiObject => object;
    seen = {
      ...resource,
      descriptor: {
        ...resource.descriptor,
        kind: expected.kind,
        columns,
        subresources: [],
        storage: { ...resource.descriptor.storage, type: subresource?.type ?? resource.descriptor.storage.type },
      },
      apiVersion: apiVersionOf(expected),
      schema: expected.schema,
      hooks: {},
      stored: { ...resource.stored, schema: expected.schema, hooks: {}, hasStatus: false },
      isStoredVersion: true,
      toStored: same,
      fromStored: same,
    };
    byName.set(name, seen);
  }
  return seen;
}
