/**
 * `make compare KUBE_APISERVER=<directory> SECONDS=60 SEED=1 IDEAS=reads,watches`: what a real kube-apiserver and this server answer to the
 * same requests.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlane } from "../../../runtime/plane.ts";
import { createClient, type Parsed, type PlaneClient } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { EtcdProcess } from "../../tools/etcd-process.ts";
import { KubeApiserverProcess } from "../../tools/kube-apiserver-process.ts";
import { findTool, skipMessage } from "../../tools/tools.ts";
import { createAdmissionWorlds, optionalPlugins, TOKENS } from "./admission/worlds.ts";
import { admitted } from "./admitted.ts";
import { appliers } from "./appliers.ts";
import { changedWrites, customWrites } from "./changed-writes.ts";
import {
  type ComparedRequest,
  type Differences,
  differencesBetween,
  type Pair,
  type RequestMaker,
  type SequenceMaker,
} from "./compared-request.ts";
import { deletions } from "./deletions.ts";
import { documents } from "./documents.ts";
import { expressions } from "./expressions.ts";
import { lives } from "./lives.ts";
import { mediaTypes } from "./media-types.ts";
import { patchedLives, patches } from "./patches.ts";
import type { Episode, Exchange } from "./episode.ts";
import { lives } from "./lives.ts";
import { mediaTypes } from "./media-types.ts";
import { pages } from "./pages.ts";
import { reads } from "./reads.ts";
import { reviews } from "./reviews.ts";
import { streams } from "./streams.ts";
import { subresources } from "./subresources.ts";
import { watches } from "./watches.ts";
import { createWorld, type Sent } from "./world.ts";

const AT_ONCE = 6;
const PRINTED = 20;
const FILE = ".cache/compared.json";
const RANGE = "10.96.0.0/16";
const IDEAS: Readonly<Record<string, RequestMaker>> = {
  changedWrites,
  customWrites,
  reads,
  deletions,
  subresources,
  appliers,
  mediaTypes,
  reviews,
  patches,
  expressions,
  admitted,
};
/** They take a second each, and are sent beside the others. */
const SLOW_IDEAS: Readonly<Record<string, RequestMaker>> = { watches };
/** They change objects that the others list, and come last. */
const LAST_IDEAS: Readonly<Record<string, SequenceMaker>> = { lives, patchedLives };
const LAST_IDEAS: Readonly<Record<string, SequenceMaker>> = { lives };
/** They write objects of their own, in namespaces of their own. */
const EPISODES: Readonly<Record<string, Episode>> = { streams, pages };
/** Of the time, for the last ones. */
const LAST_PART = 0.2;

interface Found {
  readonly idea: string;
  readonly number: number;
  readonly request: ComparedRequest;
  readonly different: readonly string[];
  readonly answers: readonly string[];
}

/** What was sent, and what was answered differently. */
class Comparison {
  readonly sent = new Map<string, { all: number; accepted: number }>();
  readonly found: Found[] = [];
  readonly #clients: Pair<PlaneClient>;

  constructor(clients: Pair<PlaneClient>) {
    this.#clients = clients;
  }

  /** Resolves with both objects where both servers created one, and whether the real server closed the connection. */
  async send(idea: string, number: number, request: ComparedRequest): Promise<Sent> {
  /** Resolves with both objects where both servers created one. */
  async send(idea: string, number: number, request: ComparedRequest): Promise<Pair<Parsed> | undefined> {
    const answers = await this.exchange(idea, number).send(request);
    if (!answers.every(({ status }) => status === 201)) return undefined;
    return answers.map(({ text }) => JSON.parse(text)) as [Parsed, Parsed];
  }

  exchange(idea: string, number: number): Exchange {
    return {
      send: (request) => this.#compare(idea, number, request),
      keep: (request, different, answers) => this.found.push({ idea, number, request, different, answers }),
    };
  }

  async #compare(idea: string, number: number, request: ComparedRequest): Promise<Differences["answers"]> {
    const { different, answers } = await differencesBetween(this.#clients, request);
    const { all, accepted } = this.sent.get(idea) ?? { all: 0, accepted: 0 };
    const isAccepted = answers.every(({ status }) => status >= 200 && status < 300);
    this.sent.set(idea, { all: all + 1, accepted: accepted + Number(isAccepted) });
    const shown = answers.map(({ status, text }) => `${status} ${text}`);
    const isClosed = answers[1].status === 0;
    if (!isClosed && different.length > 0) this.found.push({ idea, number, request, different, answers: shown });
    if (!answers.every(({ status }) => status === 201)) return { isClosed };
    return { isClosed, created: answers.map(({ text }) => JSON.parse(text)) as [Parsed, Parsed] };
    if (different.length > 0) this.found.push({ idea, number, request, different, answers: shown });
    return answers;
  }
}

const [seed, seconds] = [Number(process.argv[2] || 1), Number(process.argv[3] || 60)];
const names = process.argv[4]?.split(",") ?? [
  ...Object.keys(IDEAS),
  ...Object.keys(SLOW_IDEAS),
  ...Object.keys(EPISODES),
  ...Object.keys(LAST_IDEAS),
  "documents",
];
if (!KubeApiserverProcess.isRealServer() || findTool("etcd") === undefined) {
  console.log(skipMessage(findTool("etcd") === undefined ? "etcd" : "kube-apiserver"));
} else {
  process.exitCode = (await compare()) === 0 ? 0 : 1;
}

/** Resolves with the number of requests that were answered differently. */
async function compare(): Promise<number> {
  const etcd = await EtcdProcess.start();
  // Off by default in Kubernetes, on in this server.
  const gates = `WatchList=${seed % 2 === 0}`;
  const real = await KubeApiserverProcess.start(etcd.endpoint, ["--allow-privileged", `--feature-gates=${gates}`]);
  const own = names.includes("admitted") ? admissionFlags() : {};
  const real = await KubeApiserverProcess.start(etcd.endpoint, [
    "--allow-privileged",
    ...Object.entries(own).map(([name, value]) => `--${name}=${value}`),
  ]);
  const flags = {
    controllers: "false",
    "endpoint-reconciler-type": "none",
    "authorization-mode": "RBAC",
    "feature-gates": gates,
    "service-cluster-ip-range": RANGE,
    "disable-admission-plugins": "ServiceAccount",
    ...own,
  };
  const plane = await startPlane({ flags });
  await plane.ready;
  try {
    const clients: Pair<PlaneClient> = [createClient(plane), real.call];
    const comparison = new Comparison(clients);
    await compareAll(comparison, clients).finally(() => report(comparison));
    return comparison.found.length;
  } finally {
    await plane.stop();
    await real.stop();
    await etcd.stop();
  }
}

/** For decisions about requests, both servers have more users, plugins and authorizers. */
function admissionFlags(): Readonly<Record<string, string>> {
  const file = join(mkdtempSync(join(tmpdir(), "compared-")), "tokens.csv");
  writeFileSync(file, TOKENS, { mode: 0o600 });
  return {
    "token-auth-file": file,
    "authorization-mode": "Node,RBAC",
    "enable-admission-plugins": optionalPlugins(seed),
    "disable-admission-plugins": "AlwaysDeny",
  };
}

async function compareAll(comparison: Comparison, clients: Pair<PlaneClient>): Promise<void> {
  let opened = 0;
  const open = (request: ComparedRequest) => comparison.send("world", opened++, request);
  if (names.includes("admitted")) await createAdmissionWorlds(seed, open);
  const world = await createWorld(clients, seed, open);
  if (world === undefined) {
    console.log("skipped: no recorded objects beside this project");
    return;
  }
  if (names.includes("documents")) {
    const [, theirs] = clients;
    const all = await documents(theirs);
    for (const [number, request] of all.entries()) await comparison.send("documents", number, request);
  }
  const compareFor = async (part: number, ...groups: Readonly<Record<string, Episode>>[]) => {
    const until = Date.now() + seconds * part * 1000;
    const compareGroup = (group: Readonly<Record<string, Episode>>): Promise<void>[] => {
      const episodes = Object.entries(group).filter(([name]) => names.includes(name));
      let made = 0;
      const compareNext = async (): Promise<void> => {
        while (Date.now() < until && episodes.length > 0) {
          const number = made++;
          const [name, make] = makers[number % makers.length] as [string, RequestMaker | SequenceMaker];
          const requests = [make(Random.ofInput(seed, name, number), world)].flat();
          for (const request of requests) if ((await comparison.send(name, number, request)).isClosed) break;
          const [name, play] = episodes[number % episodes.length] as [string, Episode];
          await play(Random.ofInput(seed, name, number), world, comparison.exchange(name, number));
        }
      };
      return Array.from({ length: AT_ONCE }, compareNext);
    };
    await Promise.all(groups.flatMap(compareGroup));
  };
  await compareFor(1 - LAST_PART, episodesOf(IDEAS), episodesOf(SLOW_IDEAS), EPISODES);
  await compareFor(LAST_PART, episodesOf(LAST_IDEAS));
}

/** Episodes that do not look at the answers. */
function episodesOf(makers: Readonly<Record<string, RequestMaker | SequenceMaker>>): Readonly<Record<string, Episode>> {
  const episodeOf = (make: RequestMaker | SequenceMaker): Episode => {
    return async (random, world, exchange) => {
      for (const request of [make(random, world)].flat()) await exchange.send(request);
    };
  };
  return Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, episodeOf(make)]));
}

function report({ sent, found }: Comparison): void {
  writeFileSync(FILE, JSON.stringify(found, null, 2));
  for (const { idea, number, request, different, answers } of found.slice(0, PRINTED)) {
    const { method, path, what } = request;
    const places = different.map((each) => each.replace(/: .*/s, "")).join(" ");
    console.log(`${idea} ${number} ${method} ${[path].flat()[0]} (${what}): ${places.slice(0, 300)}`);
    for (const answer of answers) console.log(`  ${answer.slice(0, 300)}`);
  }
  for (const [idea, { all, accepted }] of sent) {
    const different = found.filter((each) => each.idea === idea).length;
    console.log(`${idea}: ${all} requests, ${accepted} accepted, ${different} answered differently`);
  }
  const all = [...sent.values()].reduce((sum, each) => sum + each.all, 0);
  console.log(`${all} requests, ${found.length} answered differently (seed ${seed}); all of them are in ${FILE}`);
}
