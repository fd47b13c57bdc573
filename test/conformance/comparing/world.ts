import { setTimeout as delay } from "node:timers/promises";
import type { WebhookServer } from "../../admission/webhook-server.ts";
import type { Parsed, PlaneClient } from "../../fixtures/plane-client.ts";
import { sharingApplies } from "./appliers.ts";
import type { ComparedRequest, Listed, Pair, Stored, World } from "./compared-request.ts";
import { CUSTOM_EXAMPLES, DEFINITIONS, DEFINITIONS_PATH } from "./custom-kinds.ts";
import { type Example, exampleObjects } from "./example-objects.ts";
import { RICH_EXAMPLES } from "./rich-examples.ts";

/** Result of a request. */
export interface Sent {
  /** Whether the real server closed the connection, which happens if a request causes a panic. */
  readonly isClosed: boolean;
  readonly created?: Pair<Parsed>;
}

/** Sends a request to both servers and records the differences. */
export type Send = (request: ComparedRequest) => Promise<Sent>;

const READY_MS = 20_000;
const SEEN_MS = 500;

/** Creates the same objects on both servers and compares the responses. Resolves with undefined if there are no recorded objects. */
export async function createWorld(
  clients: Pair<PlaneClient>,
  reviewers: Pair<WebhookServer>,
  seed: number,
  send: Send,
): Promise<World | undefined> {
  const examples = exampleObjects();
  if (examples.length === 0) return undefined;
  for (const body of DEFINITIONS)
    await send({ method: "POST", path: DEFINITIONS_PATH, bodies: [body, body], what: "definition" });
  for (const { path } of CUSTOM_EXAMPLES) for (const call of clients) await untilServed(call, path);
  const all = [
    ...examples,
    ...RICH_EXAMPLES,
    ...CUSTOM_EXAMPLES,
    ...DEFINITIONS.map((object) => ({ path: DEFINITIONS_PATH, object })),
  ];
  const stored = await createAll(
    all.filter(({ path }) => path !== DEFINITIONS_PATH),
    send,
  );
  const paths = [...new Set(stored.map(({ path }) => path))];
  const lists: Listed[] = [];
  for (const path of paths) lists.push(await firstPages(clients, path));
  // Sent after the first pages are read, because these requests change listed objects.
  for (const request of sharingApplies(stored, seed)) await send(request);
  const served = await servedBy(clients[1]);
  return { clients, reviewers, examples: all, stored, lists, served };
}

async function createAll(all: readonly Example[], send: Send): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const [index, { path, object }] of all.entries()) {
    const body = { ...object, metadata: { ...object.metadata, name: `example-${index}` } };
    const { created } = await send({ method: "POST", path, bodies: [body, body], what: "example" });
    // Admission of claims and pods uses a class only some time after its creation.
    if (/classes$/.test(path)) await delay(SEEN_MS);
    if (created !== undefined) stored.push({ path, mine: created[0], theirs: created[1] });
  }
  return stored;
}

async function firstPages(clients: Pair<PlaneClient>, path: string): Promise<Listed> {
  const pages = await Promise.all(clients.map((call) => call("GET", `${path}?limit=1`)));
  const [mine, theirs] = pages.map(({ body }) => body.metadata);
  return {
    path,
    versions: [mine.resourceVersion, theirs.resourceVersion],
    tokens: [mine.continue ?? "", theirs.continue ?? ""],
  };
}

async function servedBy(call: PlaneClient): Promise<ReadonlySet<string>> {
  const groups: Parsed[] = (await call("GET", "/apis")).body.groups;
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }: Parsed) => `/apis/${groupVersion}`));
  const lists = await Promise.all(["/api/v1", ...versions].map((path) => call("GET", path)));
  return new Set(
    lists.flatMap(({ body }) =>
      body.resources.map(({ name }: Parsed) => `${body.groupVersion === "v1" ? "/v1" : body.groupVersion}/${name}`),
    ),
  );
}

async function untilServed(call: PlaneClient, path: string): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await delay(100)) {
    if ((await call("GET", path)).status === 200) return;
  }
  throw new Error(`${path} is not served`);
}
