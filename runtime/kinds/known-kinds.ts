import type { ApiObject } from "../contract/api-object.ts";
import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { Schemas, TypeSchema } from "../schema/type-schema.ts";
import { apiVersionOf } from "./served-resource.ts";

/** Kinds that exist at all, whether they are served or not: refusals of objects of another kind are worded by them. */
export interface KnownKinds {
  has(apiVersion: string, kind: string): boolean;
  /** What objects of a kind are decoded by; undefined for lists and kinds that hold nothing. */
  schemaOf(apiVersion: string, kind: string): TypeSchema<ApiObject> | undefined;
}

/** Every kind of the catalogue, served or not. */
export function knownKinds({ resources }: ApiCatalogue, schemas: Schemas): KnownKinds {
  const known = new Map<string, TypeRef | undefined>();
  for (const resource of resources) {
    known.set(`${apiVersionOf(resource)} ${resource.listKind}`, undefined);
    known.set(`${apiVersionOf(resource)} ${resource.kind}`, resource.type);
  }
  return {
    has: (apiVersion, kind) => known.has(`${apiVersion} ${kind}`) || kind === "List" || kind === "Status",
    schemaOf: (apiVersion, kind) => {
      const type = known.get(`${apiVersion} ${kind}`);
      return type && schemas.of<ApiObject>(type);
    },
  };
}
