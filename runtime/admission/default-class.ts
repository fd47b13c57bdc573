import type { ApiObject } from "../contract/api-object.ts";

/** Returns the class marked as default by an annotation. If there are several, returns the newest, and among equally new ones the first by name. */
export function findDefaultClass(classes: readonly ApiObject[], annotations: readonly string[]): ApiObject | undefined {
  const created = (object: ApiObject) => Date.parse(object.metadata.creationTimestamp ?? "") || 0;
  return classes
    .filter((each) => annotations.some((annotation) => each.metadata.annotations?.[annotation] === "true"))
    .sort((a, b) => created(b) - created(a) || ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1))[0];
}
