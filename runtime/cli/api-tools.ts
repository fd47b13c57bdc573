import type { ApiRegistry } from "../contract/api-registry.ts";
import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import { carriedDomains } from "../kinds/conversion/carried-fields.ts";
import { createConverters } from "../kinds/conversion/create-converters.ts";
import { hookLoader } from "../kinds/loaded-hooks.ts";
import { ownTypes } from "../kinds/own-types.ts";
import { ManifestConverter } from "../manifests/manifest-converter.ts";
import { resolveFeatureGates } from "../release/feature-gates.ts";
import { createSchemas } from "../schema/schemas.ts";
import { Shapes } from "../schema/shape.ts";

/** Knowledge about the API that commands use without a server. */
export interface ApiTools {
  readonly catalogue: ApiCatalogue;
  readonly converter: ManifestConverter;
}

export function createApiTools(registry: ApiRegistry): ApiTools {
  const types = registry.createTypeSource();
  const catalogue = registry.readCatalogue();
  const { enabled } = resolveFeatureGates(registry.readFeatureGates(), catalogue.release);
  const schemas = createSchemas(types, { tellsByField: ownTypes(catalogue), isEnabled: enabled });
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
    loadHooks: hookLoader(registry, { featureEnabled: enabled, primaryIpFamily: "IPv4" }),
  });
  return { catalogue, converter };
}
