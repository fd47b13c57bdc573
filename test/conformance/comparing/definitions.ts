import { setTimeout as delay } from "node:timers/promises";
import { differencesOf } from "../../fixtures/differences-of.ts";
import type { Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import type { ComparedRequest, Pair } from "./compared-request.ts";
import { DEFINITIONS_PATH } from "./custom-kinds.ts";
import { type Episode, type Exchange, OpenWatch, objectOf, settle, Versions } from "./episode.ts";

const ACCEPTS = [
  ...["application/json", "application/json", "application/json;as=Table;v=v1;g=meta.k8s.io"],
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
];
/** Maximum time until servers serve a changed definition. */
const SERVED_MS = 1500;
const MOST_MS = 15_000;

const schema = (properties: Parsed): Parsed => ({
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties }, status: { type: "object" } } },
});
const string = { type: "string" };
const versionOf = (name: string, storage: boolean): Parsed => ({
  name,
  served: true,
  storage,
  schema: schema({ a: string, b: string }),
});

/** Changes of one definition, as JSON patches. */
const CHANGES: readonly Parsed[][] = [
  [
    {
      op: "add",
      path: "/spec/versions/0/additionalPrinterColumns",
      value: [{ name: "A", type: "string", jsonPath: ".spec.a" }],
    },
  ],
  [
    {
      op: "add",
      path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/c",
      value: { ...string, default: "d" },
    },
  ],
  [{ op: "add", path: "/spec/versions/0/selectableFields", value: [{ jsonPath: ".spec.a" }] }],
  [{ op: "replace", path: "/spec/versions/1/served", value: false }],
  [{ op: "replace", path: "/spec/versions/1/served", value: true }],
  [
    { op: "replace", path: "/spec/versions/0/storage", value: false },
    { op: "replace", path: "/spec/versions/1/storage", value: true },
  ],
  [{ op: "add", path: "/spec/versions/0/subresources", value: { status: {} } }],
  [{ op: "add", path: "/spec/names/shortNames", value: ["dd"] }],
  [{ op: "add", path: "/spec/versions/1/deprecated", value: true }],
  [{ op: "remove", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b" }],
  [{ op: "add", path: "/metadata/labels", value: { a: "b" } }],
];

/** A custom kind whose definition changes while its objects are written and watched. */
export const definitions: Episode = async (random, { clients }, exchange) => {
  const id = `d${random.int(2 ** 31)}`;
  const group = `${id}.example.com`;
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [versionOf("v1", true), versionOf("v2", false)],
    },
  };
  const versions = new Versions();
  const send = async (request: ComparedRequest): Promise<void> => {
    versions.note(await exchange.send(request));
  };
  await exchange.send({ method: "POST", path: DEFINITIONS_PATH, bodies: [definition, definition], what: "definition" });
  const list = (version: string): string => `/apis/${group}/${version}/namespaces/default/things`;
  for (const call of clients) await served(call, list("v1"));
  for (const name of ["one", "two"]) await send(creation(list("v1"), group, name));
  const opened: Opened[] = [];
  try {
    for (let step = 3 + random.int(4); step > 0; step--) {
      if (random.chance(0.7)) opened.push(await open(clients, list(random.pick(["v1", "v1", "v2"])), random));
      await send(write(random, list(random.pick(["v1", "v1", "v2"])), group));
      if (random.chance(0.5)) {
        await changeDefinition(exchange, random, definition.metadata.name);
        // Both servers end the watches of a changed definition, each at its own time.
        await delay(SERVED_MS);
        for (const each of opened.splice(0)) compare(exchange, versions, each);
      }
    }
    await settle(() => [count(opened, 0), count(opened, 1)]);
    for (const each of opened.splice(0)) compare(exchange, versions, each);
  } finally {
    for (const { watches } of opened) for (const watch of watches) watch.close();
    const path = `${DEFINITIONS_PATH}/${definition.metadata.name}`;
    for (const call of clients) await call("DELETE", path);
  }
};

async function changeDefinition(exchange: Exchange, random: Random, name: string): Promise<void> {
  const body = random.pick(CHANGES);
  const path = `${DEFINITIONS_PATH}/${name}`;
  await exchange.send({
    method: "PATCH",
    path,
    type: "application/json-patch+json",
    bodies: [body, body],
    what: JSON.stringify(body).slice(0, 80),
    // Controllers write conditions meanwhile.
    view: ({ spec }: Parsed) => spec,
  });
}

function creation(list: string, group: string, name: string): ComparedRequest {
  const apiVersion = `${group}/${list.split("/")[3]}`;
  const body = { apiVersion, kind: "Thing", metadata: { name }, spec: { a: "x", b: "y", c: "z" } };
  return { method: "POST", path: list, bodies: [body, body], what: "creation" };
}

function write(random: Random, list: string, group: string): ComparedRequest {
  const name = random.pick(["one", "two", "three"]);
  const patch = (body: Parsed, subresource = ""): ComparedRequest => ({
    method: "PATCH",
    path: `${list}/${name}${subresource}`,
    type: "application/merge-patch+json",
    bodies: [body, body],
    what: JSON.stringify(body),
  });
  return random.one(
    () => creation(list, group, name),
    () => patch({ spec: { a: random.pick(["x", "y"]) } }),
    () => patch({ spec: { c: "w" }, metadata: { labels: { l: random.pick(["1", "2"]) } } }),
    () => patch({ status: { s: 1 } }, "/status"),
    () => ({ method: "DELETE", path: `${list}/${name}`, what: "deletion" }),
  );
}

interface Opened {
  readonly request: ComparedRequest;
  readonly watches: Pair<OpenWatch>;
}

/** Watches from the current state, because Kubernetes discards earlier events when a definition changes. */
async function open(clients: Pair<PlaneClient>, list: string, random: Random): Promise<Opened> {
  const accept = random.pick(ACCEPTS);
  const path = `${list}?watch=1&resourceVersion=0`;
  const [mine, theirs] = await Promise.all(clients.map((call) => openReady(call, path, accept)));
  return { request: { method: "GET", path, what: accept }, watches: [mine as OpenWatch, theirs as OpenWatch] };
}

/** Retries, because a kube-apiserver rejects watches with 429 until it has read the objects. */
async function openReady(call: PlaneClient, path: string, accept: string): Promise<OpenWatch> {
  for (const deadline = Date.now() + MOST_MS; ; await delay(100)) {
    const watch = await OpenWatch.open(call, path, accept);
    if (watch.answer.status !== 429 || Date.now() > deadline) return watch;
    watch.close();
  }
}

const eventsOf = ({ answer }: OpenWatch): Parsed[] =>
  answer.text
    .split("\n")
    .map(objectOf)
    .filter((event) => event !== undefined);

const count = (opened: readonly Opened[], side: 0 | 1): number =>
  opened.reduce((sum, { watches }) => sum + eventsOf(watches[side]).length, 0);

function compare(exchange: Exchange, versions: Versions, { request, watches }: Opened): void {
  const [mine, theirs] = ([0, 1] as const).map((side) => {
    const watch = watches[side];
    const events = eventsOf(watch).map(({ type, code, object }) => {
      const row = object?.rows?.[0];
      const { apiVersion, kind, spec, metadata } = row?.object ?? object ?? {};
      return {
        type,
        code,
        apiVersion,
        kind,
        spec,
        cells: row?.cells.slice(0, -1),
        name: metadata?.name,
        version: versions.nameOf(side, metadata?.resourceVersion),
      };
    });
    return { status: watch.answer.status, hasEnded: watch.hasEnded, events };
  });
  const different = differencesOf("", mine, theirs);
  const shown = watches.map(({ answer }) => `${answer.status} ${answer.text}`) as unknown as Pair<string>;
  if (different.length > 0) exchange.keep(request, different, shown);
  for (const watch of watches) watch.close();
}

async function served(call: PlaneClient, path: string): Promise<void> {
  for (const deadline = Date.now() + MOST_MS; Date.now() < deadline; await delay(100)) {
    if ((await call("GET", path)).status === 200) return;
  }
}
