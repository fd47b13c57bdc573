import { setTimeout as delay } from "node:timers/promises";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import type { ComparedRequest, Pair } from "./compared-request.ts";
import { type Episode, type Exchange, objectOf, pairOf, Versions } from "./episode.ts";
import { nextWrite, type Stage } from "./stream-writes.ts";
import { listPath, STREAMED_KINDS, streamedObject } from "./streamed-kinds.ts";

const ACCEPTS = [
  ...["application/json", "application/json", "application/json", "application/json;as=Table;v=v1;g=meta.k8s.io"],
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
];
const SEEN_MS = 60;
const LABELS = ["", "", "colour=red", "colour!=red", "colour", "!colour", "size=1", "size=2"];

/** Lists in pages while the objects are created, changed and deleted. */
export const pages: Episode = async (random, _world, exchange) => {
  const kind = random.pick(
    STREAMED_KINDS.filter(({ plural, clusterScoped }) => !clusterScoped && plural !== "services"),
  );
  const id = `p${random.int(2 ** 31)}`;
  const stage: Stage = { kind, id, list: listPath(kind, id), versions: new Versions(), objects: new Map() };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: id } };
  await write(exchange, stage, {
    method: "POST",
    path: "/api/v1/namespaces",
    bodies: [namespace, namespace],
    what: "namespace",
  });
  for (let index = 0; index < 3 + random.int(8); index++) {
    const labels = {
      episode: id,
      size: random.pick(["1", "2"]),
      ...(random.chance(0.6) && { colour: random.pick(["red", "blue"]) }),
    };
    const body = streamedObject(kind, random.pick(kind.objects), { name: `${id}-${index}`, labels }, id);
    await write(exchange, stage, { method: "POST", path: stage.list, bodies: [body, body], what: "creation" });
  }
  const tokens: Pair<string>[] = [];
  for (let times = 8 + random.int(10); times > 0; times--) {
    if (random.chance(0.4)) for (const request of nextWrite(random, stage)) await write(exchange, stage, request);
    await read(exchange, stage, tokens, random);
  }
};

async function write(exchange: Exchange, { versions, objects }: Stage, request: ComparedRequest): Promise<void> {
  const answers = await exchange.send(request);
  versions.note(answers);
  const [mine, theirs] = answers.map(({ text }) => objectOf(text));
  const name = mine?.metadata?.name;
  const isObject = mine?.metadata?.namespace !== undefined && name === theirs?.metadata?.name;
  if (isObject) objects.set(name, [mine, theirs]);
}

/** Lists a page or gets an object, at one of the versions. */
async function read(exchange: Exchange, stage: Stage, tokens: Pair<string>[], random: Random): Promise<void> {
  const { versions } = stage;
  const request = random.chance(0.15) ? getOf(random, stage) : listOf(random, stage, tokens);
  // Kubernetes may respond from a cache that lacks the last write.
  if (/resourceVersion=/.test(pairOf(request.path)[0])) await delay(SEEN_MS);
  const answers = await exchange.send(request);
  const [mine, theirs] = answers.map(({ text }) => objectOf(text)?.metadata);
  if (mine?.continue && theirs?.continue) tokens.push([mine.continue, theirs.continue]);
  const names = ([0, 1] as const).map((side) =>
    versionName(pairOf(request.path)[side], objectOf(answers[side].text), versions, side),
  );
  const items = answers.map(({ text }, side) => itemVersions(objectOf(text), versions, side as 0 | 1));
  const shown = answers.map(({ status, text }) => `${status} ${text}`) as unknown as Pair<string>;
  if (names[0] !== names[1]) exchange.keep(request, [`.version: ${names[0]} and ${names[1]}`], shown);
  if (items[0] !== items[1]) exchange.keep(request, [`.items: ${items[0]} and ${items[1]}`], shown);
}

/**
 * Returns a name for the version of a list: the requested state, or at least the last write. Each server decides by itself what its cache
 * contains.
 */
function versionName(path: string, body: Parsed, versions: Versions, side: 0 | 1): string {
  const version = body?.metadata?.resourceVersion;
  const { searchParams: asked } = new URL(path, "http://server");
  const token = asked.get("continue");
  if (token && version !== undefined) {
    const { rv } = JSON.parse(Buffer.from(token, "base64url").toString()) as { readonly rv: number };
    return `of the token: ${String(rv) === version}`;
  }
  if (asked.get("resourceVersion"))
    return asked.get("resourceVersionMatch") === "Exact" ? versions.nameOf(side, version) : "";
  return `after write ${Number(/\d+/.exec(versions.nameOf(side, version))?.[0]) >= versions.count}`;
}

function itemVersions(body: Parsed, versions: Versions, side: 0 | 1): string {
  const items: Parsed[] = body?.items ?? body?.rows?.map((row: Parsed) => row.object) ?? [];
  return items
    .map((item) => `${item?.metadata?.name} ${versions.nameOf(side, item?.metadata?.resourceVersion)}`)
    .join(", ");
}

type Parameter = string | Pair<string>;

const anyVersion = (random: Random, { versions }: Stage): Parameter =>
  random.one<Parameter>(
    () => "0",
    () => versions.last,
    () => versions.at(random.int(versions.count)),
    () => versions.at(random.int(versions.count)),
    () => random.pick(["x", "-1", "1.5", "", "99999999999999999999999"]),
  );

function listOf(random: Random, stage: Stage, tokens: readonly Pair<string>[]): ComparedRequest {
  const parameters = new Map<string, Parameter>();
  if (random.chance(0.75)) parameters.set("limit", random.pick(["1", "2", "3", "5", "500", "0", "-1"]));
  if (tokens.length > 0 && random.chance(0.6))
    parameters.set("continue", random.chance(0.7) ? (tokens.at(-1) ?? "") : random.pick(tokens));
  if (random.chance(parameters.has("continue") ? 0.1 : 0.5)) {
    parameters.set("resourceVersion", anyVersion(random, stage));
    if (random.chance(0.5)) parameters.set("resourceVersionMatch", random.pick(["Exact", "NotOlderThan"]));
  }
  const label = random.pick(LABELS);
  if (random.chance(0.4) && label !== "") parameters.set("labelSelector", label);
  if (random.chance(0.2)) {
    const names = [...stage.objects.keys()];
    const field = random.pick([
      ...(stage.kind.fields ?? []),
      `metadata.name=${random.pick(names)}`,
      `metadata.name!=${random.pick(names)}`,
    ]);
    parameters.set("fieldSelector", field.replaceAll("NAMESPACE", stage.id));
  }
  const accept = random.pick(ACCEPTS);
  return { method: "GET", ...pathOf(stage.list, parameters), headers: { Accept: accept }, what: accept };
}

function getOf(random: Random, stage: Stage): ComparedRequest {
  const name = random.pick([...stage.objects.keys()]);
  const parameters = new Map(random.chance(0.7) ? [["resourceVersion", anyVersion(random, stage)] as const] : []);
  return { method: "GET", ...pathOf(`${stage.list}/${name}`, parameters), what: "get" };
}

function pathOf(path: string, parameters: ReadonlyMap<string, Parameter>): { readonly path: Pair<string> } {
  const [mine, theirs] = ([0, 1] as const).map((side) => {
    const query = [...parameters].map(([name, value]) => `${name}=${encodeURIComponent(pairOf(value)[side])}`);
    return `${path}?${query.join("&")}`;
  });
  return { path: [mine ?? "", theirs ?? ""] };
}
