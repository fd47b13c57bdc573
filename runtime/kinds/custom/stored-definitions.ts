import type { Naming } from "../../contract/naming.ts";
import type { Store } from "../../store/store.ts";
import type { ServedKinds } from "../served-kinds.ts";
import type { CustomDefinition } from "./definition/custom-definition.ts";
import { isServed } from "./definition/describe-resources.ts";

/** Reads the stored definitions whose kinds are served, for commands that do not watch them; skips those that cannot be read. */
export async function readDefinitions(kinds: ServedKinds, store: Store, naming: Naming): Promise<CustomDefinition[]> {
  const group = naming.group("apiextensions");
  const stored = (await kinds.storedKinds()).find(
    ({ groupResource }) => groupResource.group === group && groupResource.resource === "customresourcedefinitions",
  );
  if (stored === undefined) return [];
  const { entries } = await store.range({ prefix: stored.prefix });
  const definitions: CustomDefinition[] = [];
  for (const entry of entries) {
    const definition = await stored.objects.get(entry.key).catch(() => undefined);
    if (definition !== undefined) definitions.push(definition.object as CustomDefinition);
  }
  return definitions.filter(isServed);
}
