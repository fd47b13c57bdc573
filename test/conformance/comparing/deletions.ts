import type { Parsed } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { changedObject } from "./changed-object.ts";
import type { ComparedRequest, Pair, RequestMaker, Stored } from "./compared-request.ts";

/** Deletions of objects and of collections, with all DeleteOptions. Every valid body requests a dry run. */
export const deletions: RequestMaker = (random, { stored }) => {
  const object = random.pick(stored);
  const { path: list, mine } = object;
  if (random.chance(0.15)) return deleteCollection(random, object);
  const name = random.chance(0.95) ? mine.metadata.name : "absent";
  if (random.chance(0.3)) {
    const query = queryOf(random);
    return { method: "DELETE", path: `${list}/${name}?dryRun=All${query}`, what: "query" };
  }
  const path = `${list}/${name}${random.chance(0.3) ? `?dryRun=All${queryOf(random)}` : ""}`;
  return withOptions(random, object, path);
};

function deleteCollection(random: Random, object: Stored): ComparedRequest {
  const selector = random.pick([
    "",
    "&labelSelector=app%3Dx",
    "&labelSelector=%3D",
    "&fieldSelector=x%3Dy",
    "&limit=1",
  ]);
  const selected = `${selector}${random.pick(["", "&resourceVersion=0", "&resourceVersion=x", "&fieldSelector=metadata.name%3Dexample-1"])}`;
  const path = `${object.path}?dryRun=All${selected}`;
  if (random.chance(0.5)) return { method: "DELETE", path: `${path}${queryOf(random)}`, what: "collection" };
  return withOptions(random, object, path);
}

function withOptions(random: Random, { mine, theirs }: Stored, path: string): ComparedRequest {
  const state = random.int(2 ** 31);
  const isSame = random.chance(0.5);
  const optionsOf = (metadata: Parsed): Parsed => ({
    kind: "DeleteOptions",
    apiVersion: random.chance(0.8) ? "v1" : "meta.k8s.io/v1",
    gracePeriodSeconds: 5,
    propagationPolicy: "Background",
    preconditions: isSame ? { uid: metadata.uid, resourceVersion: metadata.resourceVersion } : { uid: "x" },
    orphanDependents: false,
  });
  const kept = optionsOf(mine.metadata);
  const other = { ...optionsOf(theirs.metadata), apiVersion: kept.apiVersion };
  const bodies = [kept, other].map((options) => withoutSome(state, options)) as [Parsed, Parsed];
  const changed = random.chance(0.5)
    ? changedTogether(random, bodies)
    : { bodies, what: Object.keys(bodies[0]).join() };
  const dry = changed.bodies.map((body) => ({ ...body, dryRun: ["All"] })) as [Parsed, Parsed];
  if (random.chance(0.1)) {
    const text = random.pick([
      "x",
      "[]",
      "{",
      '"a"',
      "1",
      '{"dryRun":"All"}',
      '{"dryRun":["all"]}',
      '{"dryRun":["All","All"]}',
    ]);
    return { method: "DELETE", path, bodies: [text, text], what: text };
  }
  const type = random.chance(0.1)
    ? random.pick(["application/yaml", "text/plain", "application/merge-patch+json"])
    : undefined;
  return { method: "DELETE", path, bodies: dry, ...(type !== undefined && { type }), what: changed.what };
}

function withoutSome(state: number, options: Parsed): Parsed {
  const random = new Random(state);
  return Object.fromEntries(Object.entries(options).filter(() => random.chance(0.5)));
}

function changedTogether(random: Random, bodies: Pair<Parsed>): { bodies: Pair<Parsed>; what: string } {
  const { preconditions: _, ...plain } = bodies[0];
  const { object, what } = changedObject(random, plain);
  return {
    bodies: bodies.map(({ preconditions }) => ({ ...object, ...(preconditions && { preconditions }) })) as [
      Parsed,
      Parsed,
    ],
    what,
  };
}

function queryOf(random: Random): string {
  const parameters = [
    ...[
      "gracePeriodSeconds=0",
      "gracePeriodSeconds=30",
      "gracePeriodSeconds=-1",
      "gracePeriodSeconds=x",
      "propagationPolicy=Orphan",
    ],
    ...[
      "propagationPolicy=Foreground",
      "propagationPolicy=Background",
      "propagationPolicy=x",
      "propagationPolicy=",
      "orphanDependents=true",
    ],
    ...["orphanDependents=x", "preconditions=x", "dryRun=x", "dryRun=All", "uid=x", "x=y", "pretty=true"],
    ...["ignoreStoreReadErrorWithClusterBreakingPotential=true", "ignoreStoreReadErrorWithClusterBreakingPotential=x"],
  ];
  return random.times(2, () => `&${random.pick(parameters)}`).join("");
}
