import type { Parsed } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { withoutOwn } from "./changed-writes.ts";
import type { ComparedRequest, Pair } from "./compared-request.ts";
import type { Versions } from "./episode.ts";
import { type StreamedKind, streamedObject } from "./streamed-kinds.ts";

/** State of an episode. */
export interface Stage {
  readonly kind: StreamedKind;
  /** Name of the episode and of its namespace. */
  readonly id: string;
  readonly list: string;
  readonly versions: Versions;
  /** Objects as both servers showed them last. They may be deleted meanwhile. */
  readonly objects: Map<string, Pair<Parsed>>;
}

const COLOURS = ["red", "blue", null];
const FINALIZERS = ["example.com/a", "example.com/b", "foregroundDeletion", "orphan"];

/** Returns one write of an object, or a few related ones. */
export function nextWrite(random: Random, stage: Stage): ComparedRequest[] {
  const names = [...stage.objects.keys()];
  if (names.length === 0 || random.chance(0.25)) return [creation(random, stage)];
  const name = random.pick(names);
  const maker = random.pick([
    ...[relabel, relabel, change, change, status, status, update, apply],
    ...[finalize, deletion, deletion, deletion, forced, collection],
    ...(stage.kind.plural === "namespaces" ? [emptied, emptied] : []),
    ...(stage.kind.plural === "pods" ? [bind, evict] : []),
  ]);
  return [maker(random, stage, name)];
}

type Maker = (random: Random, stage: Stage, name: string) => ComparedRequest;

function creation(random: Random, stage: Stage): ComparedRequest {
  const { kind, id, list } = stage;
  // Some of the names exist, or existed before.
  const name = `${id}-${random.chance(0.2) ? 0 : random.int(5)}`;
  const labels = JSON.parse(
    JSON.stringify({ episode: id, colour: random.pick(["red", "blue", undefined]), size: "1" }),
  );
  const metadata = { name, labels, ...(random.chance(0.3) && { finalizers: [random.pick(FINALIZERS)] }) };
  const body = streamedObject(kind, random.pick(kind.objects), metadata, id);
  return { method: "POST", path: list, bodies: [body, body], what: "creation" };
}

function patch({ list }: Stage, name: string, body: Parsed, subresource = ""): ComparedRequest {
  const type = "application/merge-patch+json";
  return {
    method: "PATCH",
    path: `${list}/${name}${subresource}`,
    type,
    bodies: [body, body],
    what: JSON.stringify(body),
  };
}

const relabel: Maker = (random, stage, name) =>
  patch(stage, name, { metadata: { labels: { colour: random.pick(COLOURS), size: random.pick(["1", "2"]) } } });

const change: Maker = (random, stage, name) => patch(stage, name, random.pick(stage.kind.changes ?? [{}]));

const status: Maker = (random, stage, name) => patch(stage, name, random.pick(stage.kind.statuses ?? [{}]), "/status");

const finalize: Maker = (random, stage, name) =>
  patch(stage, name, { metadata: { finalizers: random.pick([null, null, ["example.com/a"], ["example.com/b"]]) } });

/** Updates with the last seen version, with an older one, or with none. */
const update: Maker = (random, { list, objects, versions }, name) => {
  const state = random.int(2 ** 31);
  const [mine, theirs] = (objects.get(name) as Pair<Parsed>).map((object, side) => {
    const choice = new Random(state);
    const version = choice.one(
      () => undefined,
      () => object.metadata.resourceVersion,
      () => object.metadata.resourceVersion,
      () => (versions.count === 0 ? undefined : versions.at(choice.int(versions.count))[side]),
    );
    const own = withoutOwn(object);
    const labels = { ...own.metadata.labels, colour: choice.pick(["red", "blue"]) };
    return { ...own, metadata: { ...own.metadata, labels, ...(version && { resourceVersion: version }) } };
  });
  return { method: "PUT", path: `${list}/${name}`, bodies: [mine, theirs], what: "update" };
};

const apply: Maker = (random, { kind, id, list }, name) => {
  const labels = { episode: id, colour: random.pick(["red", "blue"]) };
  const body = streamedObject(kind, random.pick(kind.objects), { name, labels }, id);
  const query = `fieldManager=${random.pick(["one", "two"])}&force=${random.pick(["true", "true", "false"])}`;
  const type = "application/apply-patch+yaml";
  return { method: "PATCH", path: `${list}/${name}?${query}`, type, bodies: [body, body], what: "apply" };
};

const OPTIONS = [
  ...["", "", "?propagationPolicy=Foreground", "?propagationPolicy=Orphan", "?propagationPolicy=Background"],
  ...["?gracePeriodSeconds=0", "?gracePeriodSeconds=5", "?dryRun=All"],
];

const deletion: Maker = (random, { list }, name) => ({
  method: "DELETE",
  path: `${list}/${name}${random.pick(OPTIONS)}`,
  what: "deletion",
});

const forced: Maker = (_random, { list }, name) => ({
  method: "DELETE",
  path: `${list}/${name}?gracePeriodSeconds=0`,
  what: "forced deletion",
});

const collection: Maker = (random, { kind, id, list }) => {
  const labels = random.pick(["colour=red", "colour!=red", "size=2", "size"]);
  const parameters = [
    `labelSelector=${encodeURIComponent(`episode=${id},${labels}`)}`,
    random.pick(OPTIONS).replace("?", ""),
  ];
  if (random.chance(0.3) && kind.fields !== undefined)
    parameters.push(`fieldSelector=${encodeURIComponent(random.pick(kind.fields).replace("NAMESPACE", id))}`);
  if (random.chance(0.2)) parameters.push("limit=1");
  return { method: "DELETE", path: `${list}?${parameters.join("&")}`, what: "collection" };
};

/** Does what the namespace controller does at the end. */
const emptied: Maker = (_random, { list }, name) => {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: { finalizers: [] } };
  return { method: "PUT", path: `${list}/${name}/finalize`, bodies: [body, body], what: "finalize" };
};

const bind: Maker = (_random, { list }, name) => {
  const target = { apiVersion: "v1", kind: "Node", name: "node-1" };
  const body = { apiVersion: "v1", kind: "Binding", metadata: { name }, target };
  return { method: "POST", path: `${list}/${name}/binding`, bodies: [body, body], what: "binding" };
};

const evict: Maker = (random, { list }, name) => {
  const deleteOptions = random.pick([{}, { gracePeriodSeconds: 0 }, { gracePeriodSeconds: 5 }]);
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, deleteOptions };
  return { method: "POST", path: `${list}/${name}/eviction`, bodies: [body, body], what: "eviction" };
};
