import type { ApiObject } from "../contract/api-object.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { KindHooks } from "../contract/kind-hooks.ts";
import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import { carriedDomains } from "../kinds/conversion/carried-fields.ts";
import { createConverters } from "../kinds/conversion/create-converters.ts";
import { ownTypes } from "../kinds/own-types.ts";
import { ManifestConverter } from "../manifests/manifest-converter.ts";
import { createSchemas } from "../schema/schemas.ts";
import { Shapes } from "../schema/shape.ts";

/** What commands know of the API without a server. */
export interface ApiTools {
  readonly catalogue: ApiCatalogue;
  readonly converter: ManifestConverter;
}

export function createApiTools(registry: ApiRegistry): ApiTools {
  const types = registry.createTypeSource();
  const catalogue = registry.readCatalogue();
  const schemas = createSchemas(types, { tellsByField: ownTypes(catalogue) });
  const converter = new ManifestConverter({
    catalogue,
    schemas,
    shapes: new Shapes(types),
    loadConverter: createConverters({
      entries: registry.readConversions(),
      declarations: registry.conversions,
      schemas,
      ...carriedDomains(catalogue),
    }),
    async loadHooks(type) {
      const load = registry.hooks[type];
      return load === undefined ? {} : ((await load()) as KindHooks<ApiObject>);
    },
  });
  return { catalogue, converter };
}
