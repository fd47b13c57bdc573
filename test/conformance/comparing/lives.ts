import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { changedObject, partOf } from "./changed-object.ts";
import type { ComparedRequest, SequenceMaker } from "./compared-request.ts";
import type { Example } from "./example-objects.ts";

/** Kinds whose objects affect requests for others. */
const DECIDING =
  /quotas|policies|policybindings|classes|\/namespaces$|customresourcedefinitions|roles|bindings|flowschemas|levelconfig|budgets/;
const STEPS = 6;
const FINALIZERS = ["example.com/a", "example.com/b", "foregroundDeletion", "orphan", "a b"];

/** Objects that are created, changed by several managers, and deleted: the only requests that store something. */
export const lives: SequenceMaker = (random, { examples }) => {
  const example = random.pick(examples.filter(({ path }) => !DECIDING.test(path)));
  const name = `life-${random.int(2 ** 31)}`;
  const metadata = { ...example.object.metadata, name };
  if (random.chance(0.4)) metadata.finalizers = random.times(2, () => random.pick(FINALIZERS));
  const body = { ...example.object, metadata };
  return [
    { method: "POST", path: example.path, bodies: [body, body], what: "creation" },
    ...Array.from({ length: STEPS }, () => step(random, example, name)),
    { method: "GET", path: `${example.path}/${name}`, what: "at the end" },
  ];
};

function step(random: Random, { path: list, object }: Example, name: string): ComparedRequest {
  const path = `${list}/${name}`;
  const patch = (type: string, body: Parsed, what: string, query = ""): ComparedRequest => ({
    method: "PATCH",
    path: `${path}${query}`,
    type: `application/${type}`,
    bodies: [body, body],
    what,
  });
  return random.one<ComparedRequest>(
    () => ({ method: "GET", path, what: "read" }),
    () => {
      const { object: changed, what } = changedObject(random, partOf(random, object));
      const body = { ...changed, metadata: { ...changed.metadata, name } };
      const manager = random.pick(["one", "two"]);
      const query = `?fieldManager=${manager}${random.chance(0.6) ? "&force=true" : ""}`;
      return patch("apply-patch+yaml", body, `${manager}: ${what}`, query);
    },
    () => {
      const { object: changed, what } = changedObject(random, object);
      const body = { ...changed, metadata: { ...changed.metadata, name } };
      return { method: "PUT", path: `${path}${random.chance(0.2) ? "/status" : ""}`, bodies: [body, body], what };
    },
    () => {
      const finalizers = random.pick([null, [], ["example.com/a"], ["example.com/c"]]);
      return patch("merge-patch+json", { metadata: { finalizers } }, JSON.stringify(finalizers));
    },
    () => {
      const { object: changed, what } = changedObject(
        random,
        partOf(random, { ...object, metadata: { labels: { a: "b" } } }),
      );
      return patch(random.pick(["merge-patch+json", "strategic-merge-patch+json"]), changed, what);
    },
    () => {
      const options = [
        ...[
          "",
          "?propagationPolicy=Foreground",
          "?propagationPolicy=Orphan",
          "?gracePeriodSeconds=0",
          "?gracePeriodSeconds=5",
        ],
        ...["?orphanDependents=true", "?orphanDependents=false", "?dryRun=All", "?propagationPolicy=Background"],
      ];
      return { method: "DELETE", path: `${path}${random.pick(options)}`, what: "deletion" };
    },
  );
}
