import type { Naming } from "../../contract/naming.ts";
import type { Store } from "../../store/store.ts";
import type { ServedKinds } from "../served-kinds.ts";
import type { StoredKind } from "../served-resource.ts";
import type { CustomDefinition } from "./definition/custom-definition.ts";
import { isServed } from "./definition/describe-resources.ts";

/** Reads the stored definitions whose kinds are served, for commands that do not watch them. Skips definitions that cannot be read. */
export async function readDefinitions(kinds: ServedKinds, store: Store, naming: Naming): Promise<CustomDefinition[]> {
  const stored = await definitionKind(kinds, naming);
  if (stored === undefined) return [];
  const { entries } = await store.range({ prefix: stored.prefix });
  const definitions: CustomDefinition[] = [];
  for (const entry of entries) {
    const definition = await stored.objects.get(entry.key).catch(() => undefined);
    if (definition !== undefined) definitions.push(definition.object as CustomDefinition);
  }
  return definitions.filter(isServed);
}

/** The kind CustomResourceDefinition itself, if it is served. */
export async function definitionKind(kinds: ServedKinds, naming: Naming): Promise<StoredKind | undefined> {
  const group = naming.group("apiextensions");
  return (await kinds.storedKinds()).find(
    ({ groupResource }) => groupResource.group === group && groupResource.resource === "customresourcedefinitions",
  );
}
