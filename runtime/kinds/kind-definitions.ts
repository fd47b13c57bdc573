import type { ApiCatalogue, Release } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { NotServed } from "../release/not-served.ts";
import type { ServedApi } from "../release/served.ts";
import type { Schemas } from "../schema/type-schema.ts";
import type { LoadConverter } from "./conversion/create-converters.ts";
import type { LoadedHooks } from "./loaded-hooks.ts";

/** The built-in kinds: which of them are served, and the generated code of each. */
export interface KindDefinitions {
  readonly catalogue: ApiCatalogue;
  readonly release: Release;
  readonly served: ServedApi;
  /** Kinds of the project that are defined but not served. */
  readonly notServed?: readonly NotServed[];
  readonly schemas: Schemas;
  /** Schemas without the fields of later releases, which clients neither send nor receive. Absent at the current release. */
  readonly shownSchemas?: Schemas | undefined;
  readonly featureEnabled: (gate: string) => boolean;
  readonly loadHooks: (type: TypeRef) => Promise<LoadedHooks>;
  readonly loadConverter: LoadConverter;
}
