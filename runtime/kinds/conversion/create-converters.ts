import type { ApiObject } from "../../contract/api-object.ts";
import type { ConversionEntry } from "../../contract/api-registry.ts";
import { apiVersionOf } from "../../contract/group-version.ts";
import type { GroupVersionKind, ResourceDescriptor } from "../../contract/resource-descriptor.ts";
import type { TypeRef } from "../../contract/type-table.ts";
import type { Schemas } from "../../schema/type-schema.ts";
import type { CarriedDomains } from "./carried-fields.ts";
import { type ConversionRule, type ConversionSide, type Converter, createConverter } from "./converter.ts";

export interface ConvertersParts extends CarriedDomains {
  readonly entries: readonly ConversionEntry[];
  /** Loaders of the declared conversion functions, by the type that they convert. */
  readonly declarations: { readonly [type: string]: (() => Promise<unknown>) | undefined };
  readonly schemas: Schemas;
}

/** Loads the converter between a resource and its stored version. Undefined if the two differ only in their apiVersion. */
export type LoadConverter = (resource: ResourceDescriptor) => Promise<Converter | undefined>;

export function createConverters({ entries, declarations, schemas, ...domains }: ConvertersParts): LoadConverter {
  const byType = new Map(entries.map((entry) => [entry.from, entry]));
  const loaded = new Map<TypeRef, Promise<Converter>>();

  const load = async (resource: ResourceDescriptor, entry: ConversionEntry): Promise<Converter> => {
    const declared = entry.toHub || entry.fromHub ? await declarations[entry.from]?.() : undefined;
    const rule: ConversionRule = {
      ...(declared as ConversionRule | undefined),
      rename: entry.rename,
      exact: entry.exact,
    };
    const side = (gvk: GroupVersionKind, type: TypeRef): ConversionSide => ({
      apiVersion: apiVersionOf(gvk),
      kind: gvk.kind,
      schema: schemas.of<ApiObject>(type),
    });
    return createConverter(side(resource, entry.from), side(resource.storage, entry.hub), rule, domains);
  };

  return async (resource) => {
    const entry = byType.get(resource.type);
    if (entry === undefined || entry.how === "identical") return undefined;
    let converter = loaded.get(resource.type);
    if (converter === undefined) {
      converter = load(resource, entry);
      loaded.set(resource.type, converter);
    }
    return converter;
  };
}
