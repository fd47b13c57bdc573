import type { ApiObject } from "../contract/api-object.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { Schemas, TypeSchema } from "../schema/type-schema.ts";

/** All kinds that exist, served or not. Error messages for objects of a wrong kind depend on whether the kind exists. */
export interface KnownKinds {
  has(apiVersion: string, kind: string): boolean;
  /** Schema of objects of a kind; undefined for lists, Status and unknown kinds. */
  schemaOf(apiVersion: string, kind: string): TypeSchema<ApiObject> | undefined;
}

/** Collects every kind of the catalogue, served or not. */
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
