import { Random } from "../../hostile/random.ts";
import { changedObject, partOf } from "./changed-object.ts";
import { withoutOwn } from "./changed-writes.ts";
import type { ComparedRequest, RequestMaker, Stored } from "./compared-request.ts";

const MANAGERS = ["one", "two", "three"];

/** Returns requests after which several managers own parts of some objects. */
export function sharingApplies(stored: readonly Stored[], seed: number): ComparedRequest[] {
  return stored.flatMap(({ path, mine }, index) => {
    const random = Random.ofInput(seed, "share", index);
    if (random.chance(0.4)) return [];
    return MANAGERS.map((manager): ComparedRequest => {
      const part = partOf(random, withoutOwn(mine));
      const body = { ...part, metadata: { ...part.metadata, name: mine.metadata.name } };
      const url = `${path}/${mine.metadata.name}?fieldManager=${manager}&force=true`;
      return { method: "PATCH", path: url, type: "application/apply-patch+yaml", bodies: [body, body], what: "a part" };
    });
  });
}

/** Applies by managers that already own some fields: with fewer fields, other values, and conflicts. */
export const appliers: RequestMaker = (random, { stored }) => {
  const { path, mine } = random.pick(stored);
  const part = partOf(random, withoutOwn(mine));
  const { object, what } = random.chance(0.7) ? changedObject(random, part) : { object: part, what: "a part" };
  const { name } = mine.metadata;
  const manager = random.pick([...MANAGERS, "four", "tests"]);
  const query = `dryRun=All&fieldManager=${manager}${random.pick(["", "", "&force=true", "&force=false"])}`;
  const body = { ...object, metadata: { ...object.metadata, name } };
  const url = `${path}/${name}${random.chance(0.15) ? random.pick(["/status", "/scale"]) : ""}`;
  return {
    method: "PATCH",
    path: `${url}?${query}`,
    type: "application/apply-patch+yaml",
    bodies: [body, body],
    what: `${manager}: ${what}`,
  };
};
