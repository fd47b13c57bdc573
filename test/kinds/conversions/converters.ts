import { conversions, registry } from "../../../generated/registry.ts";
import type { ApiObject } from "../../../runtime/contract/api-object.ts";
import type { ResourceDescriptor } from "../../../runtime/contract/resource-descriptor.ts";
import type { TypeRef } from "../../../runtime/contract/type-table.ts";
import type { Converter } from "../../../runtime/kinds/conversion/converter.ts";
import { createConverters } from "../../../runtime/kinds/conversion/create-converters.ts";
import { createSchemas } from "../../../runtime/schema/schemas.ts";

export const types = registry.createTypeSource();
export const schemas = createSchemas(types);
export const catalogue = registry.readCatalogue();
export const entries = registry.readConversions();
const loadConverter = createConverters({ entries, declarations: conversions, schemas, domain: catalogue.domain });

export function resourceOf(type: string): ResourceDescriptor {
  const found = catalogue.resources.find((resource) => resource.type === type);
  if (found === undefined) throw new Error(`no resource of type ${type}`);
  return found;
}

/** Returns the converter of a type (`networking/v1beta1.Ingress`) to its stored version. */
export async function converterOf(type: string): Promise<Converter> {
  const converter = await loadConverter(resourceOf(type));
  if (converter === undefined) throw new Error(`${type} needs no conversion`);
  return converter;
}

/** Returns an object in the server's internal form. */
export function canonical(type: string, value: Record<string, unknown>): ApiObject {
  const { group, version, kind } = resourceOf(type);
  const { kind: _kind, apiVersion: _version, ...rest } = schemas.of<ApiObject>(type as TypeRef).decode(value);
  return { kind, apiVersion: group === "" ? version : `${group}/${version}`, ...rest } as ApiObject;
}
