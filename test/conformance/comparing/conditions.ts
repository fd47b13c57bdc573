import type { Parsed } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { withoutOwn } from "./changed-writes.ts";
import type { ComparedRequest, Pair } from "./compared-request.ts";
import { type Episode, objectOf, Versions } from "./episode.ts";
import type { Stage } from "./stream-writes.ts";
import { listPath, STREAMED_KINDS, streamedObject } from "./streamed-kinds.ts";

const STEPS = 14;
const PATCHES = ["merge-patch+json", "strategic-merge-patch+json", "json-patch+json", "apply-patch+yaml"];

/** Writes that depend on the UID, the version or the name of the existing object. */
export const conditions: Episode = async (random, _world, exchange) => {
  const kind = random.pick(STREAMED_KINDS);
  const id = `c${random.int(2 ** 31)}`;
  const stage: Stage = { kind, id, list: listPath(kind, id), versions: new Versions(), objects: new Map() };
  const send = async (request: ComparedRequest): Promise<void> => {
    const answers = await exchange.send(request);
    if (!stage.versions.note(answers))
      exchange.keep(
        request,
        [".stored: one server has stored nothing"],
        answers.map(({ text }) => text) as unknown as Pair<string>,
      );
    const [mine, theirs] = answers.map(({ text }) => objectOf(text));
    const name = mine?.metadata?.name;
    const isDry = /dryRun|Status/.test(JSON.stringify([request.path, request.bodies?.[0], mine?.kind]));
    if (name !== undefined && name === theirs?.metadata?.name && !isDry) stage.objects.set(name, [mine, theirs]);
  };
  if (!kind.clusterScoped) {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: id } };
    await send({ method: "POST", path: "/api/v1/namespaces", bodies: [body, body], what: "namespace" });
    stage.objects.clear();
  }
  for (const name of ["a", "b"]) {
    const body = streamedObject(
      kind,
      random.pick(kind.objects),
      { name: `${id}-${name}`, labels: { episode: id } },
      id,
    );
    await send({ method: "POST", path: stage.list, bodies: [body, body], what: "creation" });
  }
  if (stage.objects.size < 2) return;
  for (let step = 0; step < STEPS; step++)
    await send(random.pick([put, put, put, patch, patch, deletion, deletion, create])(random, stage));
};

type Maker = (random: Random, stage: Stage) => ComparedRequest;

/** Makes the same choices for both servers, from values that differ between them. */
function forBoth<T>(random: Random, make: (choice: Random, side: 0 | 1) => T): Pair<T> {
  const state = random.int(2 ** 31);
  return [make(new Random(state), 0), make(new Random(state), 1)];
}

const ABSENT = "12345678-1234-1234-1234-123456789012";

/** Returns metadata that identifies the object. */
function identity(choice: Random, { objects, versions, id }: Stage, side: 0 | 1): Parsed {
  const all = [...objects.values()].map((pair) => pair[side].metadata);
  const metadata: Parsed = {};
  const versionOf = (): unknown =>
    choice.one<unknown>(
      () => choice.pick(all).resourceVersion,
      () => choice.pick(all).resourceVersion,
      () => versions.at(choice.int(versions.count))[side],
      () => choice.pick(["", "0", "1", "x", "-1", "99999999999999999999", "9000000000000000000", 5, null, " 1", "01"]),
    );
  if (choice.chance(0.6)) metadata.resourceVersion = versionOf();
  if (choice.chance(0.35))
    metadata.uid = choice.chance(0.6) ? choice.pick(all).uid : choice.pick(["", ABSENT, "x", null]);
  if (choice.chance(0.1)) metadata.name = choice.pick([`${id}-b`, "", null, "other"]);
  if (choice.chance(0.1)) metadata.namespace = choice.pick([id, "other", null]);
  if (choice.chance(0.1)) metadata.generation = choice.pick([0, 1, 7, -1, null]);
  if (choice.chance(0.1)) metadata.creationTimestamp = choice.pick(["2020-01-01T00:00:00Z", null, "x"]);
  if (choice.chance(0.06)) metadata.deletionTimestamp = choice.pick(["2020-01-01T00:00:00Z", null]);
  if (choice.chance(0.06)) metadata.deletionGracePeriodSeconds = choice.pick([0, 5, -1, null]);
  if (choice.chance(0.06)) metadata.finalizers = choice.pick([["example.com/a"], [], null, ["foregroundDeletion"]]);
  if (choice.chance(0.06)) metadata.managedFields = choice.pick([[], [{}], null]);
  if (choice.chance(0.05)) metadata.generateName = "generated-";
  if (choice.chance(0.3)) metadata.labels = { episode: id, a: choice.pick(["b", "c"]) };
  return metadata;
}

const someName = (choice: Random, { id, objects }: Stage): string =>
  choice.chance(0.8) ? choice.pick([...objects.keys()]) : `${id}-${choice.pick(["a", "b", "new", "absent"])}`;

const writeOptions = (random: Random): string =>
  [
    random.chance(0.15) ? "dryRun=All" : "",
    random.chance(0.1) ? "fieldManager=one" : "",
    random.chance(0.1) ? `fieldValidation=${random.pick(["Strict", "Ignore", "Warn"])}` : "",
  ]
    .filter((each) => each !== "")
    .join("&");

const put: Maker = (random, stage) => {
  const name = someName(random, stage);
  const bodies = forBoth(random, (choice, side) => {
    const known = stage.objects.get(name)?.[side];
    const object =
      known === undefined
        ? streamedObject(stage.kind, choice.pick(stage.kind.objects), { name }, stage.id)
        : withoutOwn(known);
    const metadata = {
      ...object.metadata,
      labels: { episode: stage.id, a: choice.pick(["b", "c"]) },
      ...identity(choice, stage, side),
    };
    return { ...object, metadata };
  });
  const status = random.chance(0.12) ? "/status" : "";
  return { method: "PUT", path: `${stage.list}/${name}${status}?${writeOptions(random)}`, bodies, what: "put" };
};

const patch: Maker = (random, stage) => {
  const name = someName(random, stage);
  const type = random.pick(PATCHES);
  const bodies = forBoth(random, (choice, side) => {
    const metadata = identity(choice, stage, side);
    if (type === "apply-patch+yaml")
      return streamedObject(stage.kind, choice.pick(stage.kind.objects), { name, ...metadata }, stage.id);
    if (type !== "json-patch+json") return { metadata };
    return Object.entries(metadata).map(([field, value]) => ({
      op: choice.pick(["add", "add", "replace", "test"]),
      path: `/metadata/${field}`,
      value,
    }));
  });
  const query = [writeOptions(random), type.startsWith("apply") ? "fieldManager=two&force=true" : ""].filter(
    (each) => each !== "",
  );
  const status = random.chance(0.1) ? "/status" : "";
  const path = `${stage.list}/${name}${status}?${query.join("&")}`;
  return { method: "PATCH", path, type: `application/${type}`, bodies, what: type };
};

const deletion: Maker = (random, stage) => {
  const name = someName(random, stage);
  const bodies = forBoth(random, (choice, side) => {
    const { uid, resourceVersion } = identity(choice, stage, side);
    const preconditions = {
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    };
    return {
      ...(choice.chance(0.7) && { apiVersion: "v1", kind: "DeleteOptions" }),
      ...(choice.chance(0.8) && { preconditions }),
      ...(choice.chance(0.2) && { gracePeriodSeconds: choice.pick([0, 1, 30, -1, null]) }),
      ...(choice.chance(0.2) && { propagationPolicy: choice.pick(["Orphan", "Foreground", "Background", null, ""]) }),
      ...(choice.chance(0.1) && { orphanDependents: choice.pick([true, false, null]) }),
      ...(choice.chance(0.2) && { dryRun: choice.pick([["All"], [], null]) }),
    };
  });
  const query = random.times(2, () =>
    random.pick([
      "gracePeriodSeconds=0",
      "gracePeriodSeconds=7",
      "propagationPolicy=Orphan",
      "propagationPolicy=Foreground",
      "dryRun=All",
      "orphanDependents=true",
    ]),
  );
  const isCollection = random.chance(0.1);
  const selected = isCollection ? [`labelSelector=episode%3D${stage.id}`] : [];
  const path = isCollection ? stage.list : `${stage.list}/${name}`;
  return { method: "DELETE", path: `${path}?${[...selected, ...query].join("&")}`, bodies, what: "deletion" };
};

const PREFIXES = [
  "generated-",
  "generated-",
  `generated-${"x".repeat(60)}`,
  `generated-${"x".repeat(245)}`,
  "generated.",
  "Generated-",
  "generated_",
];

const create: Maker = (random, stage) => {
  const isGenerated = random.chance(0.4);
  const name = isGenerated ? undefined : someName(random, stage);
  const object = random.pick(stage.kind.objects);
  const prefix = random.pick(PREFIXES);
  const bodies = forBoth(random, (choice, side) => {
    const { finalizers: _, ...metadata } = identity(choice, stage, side);
    const named = isGenerated ? { generateName: prefix } : { name };
    return streamedObject(stage.kind, object, { labels: { episode: stage.id }, ...metadata, ...named }, stage.id);
  });
  // Generated values differ between the servers.
  const query = [writeOptions(random), isGenerated ? "dryRun=All" : ""].filter((each) => each !== "");
  return {
    method: "POST",
    path: `${stage.list}?${query.join("&")}`,
    bodies,
    what: isGenerated ? "generated" : "creation",
  };
};
