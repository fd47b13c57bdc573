import type { Naming } from "../contract/naming.ts";
import type { ObjectChange, ObjectFeed } from "../contract/object-access.ts";
import type { FlowSchemaObject, PriorityLevelObject } from "./configuration.ts";
import type { Fairness } from "./fairness.ts";

/** Applies the stored configuration objects to fairness, until the returned function is called. Resolves when they are loaded. */
export async function followConfiguration(fairness: Fairness, feed: ObjectFeed, naming: Naming): Promise<() => void> {
  const group = naming.group("flowcontrol.apiserver");
  const levels = new Map<string, PriorityLevelObject>();
  const schemas = new Map<string, FlowSchemaObject>();
  let isDue = false;
  const configure = (): void => {
    isDue = false;
    fairness.configure([...levels.values()], [...schemas.values()]);
  };
  const changed = (): void => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(configure);
  };
  const generations = new Map<string, string>();
  const follow = (resource: string, objects: Map<string, PriorityLevelObject | FlowSchemaObject>) =>
    feed.follow({ group, resource }, (change: ObjectChange) => {
      const { name, type, metadata } = change;
      const key = `${resource}/${name}`;
      const generation = type === "delete" ? "" : `${metadata.uid} ${metadata.generation}`;
      // A change of the status has no effect.
      if (generations.get(key) === generation) return;
      generations.set(key, generation);
      if (type === "delete") {
        objects.delete(name);
        generations.delete(key);
      } else {
        objects.set(name, change.object);
      }
      changed();
    });
  const stops = await Promise.all([follow("prioritylevelconfigurations", levels), follow("flowschemas", schemas)]);
  configure();
  return () => {
    for (const stop of stops) stop();
  };
}
