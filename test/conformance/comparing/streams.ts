import { differencesOf } from "../../fixtures/differences-of.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { comparableAnswer } from "./comparable-answer.ts";
import type { ComparedRequest, Pair } from "./compared-request.ts";
import { type Episode, type Exchange, OpenWatch, objectOf, pairOf, settle, Versions } from "./episode.ts";
import { nextWrite, type Stage } from "./stream-writes.ts";
import { listPath, STREAMED_KINDS } from "./streamed-kinds.ts";

const ACCEPTS = [
  ...["application/json", "application/json", "application/json;as=Table;v=v1;g=meta.k8s.io"],
  ...[
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io",
  ],
];
const LABELS = [
  "colour=red",
  "colour!=red",
  "colour",
  "!colour",
  "colour in (red,blue)",
  "colour notin (red)",
  "colour=red,size=1",
];

/** Several watches of a kind while its objects are written. */
export const streams: Episode = async (random, { clients }, exchange) => {
  const kind = random.pick(STREAMED_KINDS);
  const id = `s${random.int(2 ** 31)}`;
  const versions = new Versions();
  const stage: Stage = { kind, id, list: listPath(kind, id), versions, objects: new Map() };
  if (!kind.clusterScoped) {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: id, labels: { episode: id } } };
    versions.note(
      await exchange.send({ method: "POST", path: "/api/v1/namespaces", bodies: [body, body], what: "namespace" }),
    );
  }
  const write = async (): Promise<void> => {
    for (const request of nextWrite(random, stage)) await sendWrite(exchange, stage, request);
  };
  for (let times = random.int(5); times > 0; times--) await write();
  const opened: Opened[] = [];
  try {
    for (let times = 3 + random.int(4); times > 0; times--) {
      const request = watchOf(random, stage);
      const paths = pairOf(request.path);
      const accept = String(request.headers?.Accept ?? "");
      const [mine, theirs] = clients;
      const open = [OpenWatch.open(mine, paths[0], accept), OpenWatch.open(theirs, paths[1], accept)] as const;
      opened.push({ request, watches: await Promise.all(open) });
      if (random.chance(0.4)) await write();
    }
    for (let times = 3 + random.int(8); times > 0; times--) await write();
    const all = (side: 0 | 1): number => opened.reduce((sum, { watches }) => sum + lines(watches[side]).length, 0);
    await settle(() => [all(0), all(1)]);
    for (const each of opened) compareWatches(exchange, versions, each);
  } finally {
    for (const { watches } of opened) for (const watch of watches) watch.close();
  }
};

interface Opened {
  readonly request: ComparedRequest;
  readonly watches: Pair<OpenWatch>;
}

/** Sends a write, and records its version and the object. */
async function sendWrite(exchange: Exchange, { versions, objects }: Stage, request: ComparedRequest): Promise<void> {
  const answers = await exchange.send(request);
  if (!versions.note(answers)) {
    const shown = answers.map(({ status, text }) => `${status} ${text}`) as unknown as Pair<string>;
    exchange.keep(request, [".stored: one server has stored nothing"], shown);
  }
  const [mine, theirs] = answers.map(({ text }) => objectOf(text));
  const name = mine?.metadata?.name;
  const isGone = request.method === "DELETE" && mine?.status === "Success";
  if (isGone || answers.some(({ status }) => status === 404)) objects.delete(mine?.details?.name);
  else if (name !== undefined && name === theirs?.metadata?.name && mine.kind !== "Status")
    objects.set(name, [mine, theirs]);
}

function watchOf(random: Random, { kind, id, list, versions, objects }: Stage): ComparedRequest {
  const accept = random.pick(ACCEPTS);
  const parameters: (string | Pair<string>)[] = ["watch=true"];
  const names = [...objects.keys()];
  const isNamed = random.chance(0.15) && names.length > 0;
  const labels = [
    kind.clusterScoped ? `episode=${id}` : undefined,
    random.chance(0.35) ? random.pick(LABELS) : undefined,
  ];
  const labelSelector = labels.filter((each) => each !== undefined).join(",");
  if (labelSelector !== "") parameters.push(`labelSelector=${encodeURIComponent(labelSelector)}`);
  const name = names.length > 0 ? random.pick(names) : "absent";
  const field = random.one(
    () => "",
    () => (isNamed ? "" : `metadata.name=${name}`),
    () => (isNamed ? "" : `metadata.name!=${name}`),
    () => (isNamed ? "" : random.pick(kind.fields ?? [""]).replace("NAMESPACE", id)),
    () => (isNamed ? "" : random.pick(kind.fields ?? [""]).replace("NAMESPACE", id)),
  );
  const isAcross = !kind.clusterScoped && !isNamed && random.chance(0.15);
  const fields = [field, isAcross ? `metadata.namespace=${id}` : ""].filter((each) => each !== "").join(",");
  if (fields !== "") parameters.push(`fieldSelector=${encodeURIComponent(fields)}`);
  if (random.chance(0.2)) parameters.push("pretty=true");
  const earlier: Pair<string> = versions.count === 0 ? ["0", "0"] : versions.at(random.int(versions.count));
  const version = random.one<string | Pair<string>>(
    () => "",
    () => "0",
    () => earlier,
    () => earlier,
    () => random.pick(["x", "-1", "99999999999999999999999", "9000000000000000000"]),
  );
  if (version !== "")
    parameters.push(pairOf(version).map((each) => `resourceVersion=${each}`) as unknown as Pair<string>);
  const isStreaming = random.chance(0.25);
  if (isStreaming) {
    parameters.push(`sendInitialEvents=${random.pick(["true", "true", "false"])}`);
    if (random.chance(0.9)) parameters.push("resourceVersionMatch=NotOlderThan");
  }
  // If WatchList is enabled, Kubernetes 1.33 ends the initial events of other watches from the current state with the bookmark of a streaming
  // list, too.
  const isLegacy = !isStreaming && ["", "0"].includes(pairOf(version)[0]);
  if (!isLegacy && random.chance(0.4)) parameters.push("allowWatchBookmarks=true");
  if (accept.includes("Table") && random.chance(0.5))
    parameters.push(`includeObject=${random.pick(["None", "Object", "Metadata"])}`);
  const path = isAcross ? `${kind.root}/${kind.plural}` : list;
  const query = (side: 0 | 1): string => parameters.map((each) => pairOf(each)[side]).join("&");
  const url = (side: 0 | 1): string => `${path}${isNamed ? `/${name}` : ""}?${query(side)}`;
  return { method: "GET", path: [url(0), url(1)], headers: { Accept: accept }, what: accept };
}

const lines = ({ answer }: OpenWatch): string[] => {
  const { text } = answer;
  // Indented events end with a separate line.
  return text.split(/(?<=\})\n(?=\{|$)/).filter((line) => line !== "");
};

function compareWatches(exchange: Exchange, versions: Versions, { request, watches }: Opened): void {
  const [mine, theirs] = ([0, 1] as const).map((side) => {
    const { answer, hasEnded } = watches[side];
    const all = lines(watches[side]);
    const events = all.map(objectOf).filter((event) => !isPlainBookmark(event));
    const text = events.map((event) => JSON.stringify(event)).join("\n");
    const order = events.map((event) => eventName(versions, side, event));
    return {
      hasEnded,
      order,
      ...(comparableAnswer({ ...answer, text }) as Parsed),
      isIndented: all.some((line) => line.includes("\n")),
    };
  });
  const different = differencesOf("", mine, theirs);
  if (different.length === 0) return;
  exchange.keep(
    request,
    different,
    watches.map(({ answer }) => `${answer.status} ${answer.text}`) as unknown as Pair<string>,
  );
}

/** Whether the event is an ordinary bookmark, which servers send at any time. */
const isPlainBookmark = (event: Parsed): boolean =>
  event?.type === "BOOKMARK" && event.object?.metadata?.annotations === undefined;

function eventName(versions: Versions, side: 0 | 1, event: Parsed): string {
  const { type, object } = event ?? {};
  const metadata =
    object?.kind === "Table" ? { name: object.rows[0]?.object?.metadata?.name, ...object.metadata } : object?.metadata;
  // A bookmark has the version of the whole server.
  return `${type} ${metadata?.name} ${type === "BOOKMARK" ? "" : versions.nameOf(side, metadata?.resourceVersion)}`;
}
