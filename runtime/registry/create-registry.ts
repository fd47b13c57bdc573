import { readFileSync } from "node:fs";
import type { ApiRegistry } from "../contract/api-registry.ts";
import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import type { TypeModule } from "../contract/type-table.ts";

/** The parts of a registry that are code, listed in `generated/registry.ts`. All others are JSON files beside it. */
export type RegistryParts = Pick<ApiRegistry, "modules" | "hooks" | "hookReads" | "conversions"> &
  Partial<Pick<ApiRegistry, "uses">>;

/** Creates the registry of the generated files in a folder, whose URL must end with a slash. */
export function createRegistry(folder: URL, parts: RegistryParts): ApiRegistry {
  const read = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, folder), "utf8")) as T;
  let catalogue: ApiCatalogue | undefined;
  return {
    uses: [],
    ...parts,
    createTypeSource() {
      const loaded = new Map<string, TypeModule>();
      return {
        module(name) {
          let module = loaded.get(name);
          if (module === undefined) {
            if (!Object.hasOwn(parts.modules, name)) throw new RangeError(`no type module named ${name}`);
            module = read<TypeModule>(`types/${name.replace("/", ".")}.json`);
            loaded.set(name, module);
          }
          return module;
        },
      };
    },
    readCatalogue: () => (catalogue ??= read<ApiCatalogue>("resources.json")),
    readConfigKinds: () => read("config-kinds.json"),
    readConversions: () => read("conversions.json"),
    readFeatureGates: () => read("feature-gates.json"),
    readMetrics: () => read("metrics.json"),
    openApiSchemas: {
      modules: () => read("openapi/modules.json"),
      schemas: (packageName) => read(`openapi/schemas/${packageName}.json`),
    },
  };
}
