/** `make compare KUBE_APISERVER=<directory> SECONDS=60 SEED=1`: what a real kube-apiserver and this server answer to the same changes. */
import { writeFileSync } from "node:fs";
import { startPlane } from "../../../runtime/plane.ts";
import { differencesOf } from "../../fixtures/differences-of.ts";
import { createClient, type Parsed, type PlaneClient } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { EtcdProcess } from "../../tools/etcd-process.ts";
import { KubeApiserverProcess } from "../../tools/kube-apiserver-process.ts";
import { findTool, skipMessage } from "../../tools/tools.ts";
import { changedObject, partOf, placesIn } from "./changed-object.ts";
import { comparableAnswer } from "./comparable-answer.ts";
import { type Example, exampleObjects } from "./example-objects.ts";

const AT_ONCE = 6;
const PRINTED = 20;
const FILE = ".cache/compared.json";
const RANGE = "10.96.0.0/16";

/** An object that both servers have, as each of them shows it. */
interface Stored {
  readonly path: string;
  readonly mine: Parsed;
  readonly theirs: Parsed;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly bodies: readonly [unknown, unknown];
  readonly what: string;
}

/** Where the answers differ, and both of them. */
interface Differences {
  readonly different: readonly string[];
  readonly answers: readonly string[];
}

type Found = Request & Differences & { readonly number: number };

const [seed, seconds] = [Number(process.argv[2] || 1), Number(process.argv[3] || 60)];
const examples = exampleObjects();
if (!KubeApiserverProcess.isRealServer() || findTool("etcd") === undefined) {
  console.log(skipMessage(findTool("etcd") === undefined ? "etcd" : "kube-apiserver"));
} else if (examples.length === 0) {
  console.log("skipped: no recorded objects beside this project");
} else {
  process.exitCode = (await compare()) === 0 ? 0 : 1;
}

/** Resolves with the number of requests that were answered differently. */
async function compare(): Promise<number> {
  const etcd = await EtcdProcess.start();
  const real = await KubeApiserverProcess.start(etcd.endpoint, ["--allow-privileged"]);
  const flags = {
    controllers: "false",
    "service-cluster-ip-range": RANGE,
    "disable-admission-plugins": "ServiceAccount",
  };
  const plane = await startPlane({ flags });
  await plane.ready;
  const clients = [createClient(plane), real.call] as const;
  try {
    const stored = await createAll(clients, examples);
    const all: Found[] = [];
    let sent = 0;
    const until = Date.now() + seconds * 1000;
    const compareNext = async (): Promise<void> => {
      while (Date.now() < until) {
        const number = sent++;
        const request = requestOf(Random.ofInput(seed, "compare", number), stored);
        const found = await differencesBetween(clients, request);
        if (found.different.length > 0) all.push({ number, ...request, ...found });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, compareNext));
    report(sent, all);
    return all.length;
  } finally {
    await plane.stop();
    await real.stop();
    await etcd.stop();
  }
}

async function createAll([mine, theirs]: readonly [PlaneClient, PlaneClient], all: Example[]): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const [index, { path, object }] of all.entries()) {
    const body = { ...object, metadata: { ...object.metadata, name: `example-${index}` } };
    const [one, other] = await Promise.all([mine, theirs].map((call) => call("POST", path, { body })));
    if (one?.status === 201 && other?.status === 201) stored.push({ path, mine: one.body, theirs: other.body });
  }
  return stored;
}

/** A request that stores nothing. */
function requestOf(random: Random, stored: readonly Stored[]): Request {
  const options = `dryRun=All${random.chance(0.3) ? "&fieldValidation=Strict" : ""}`;
  if (random.chance(0.5)) {
    const { path, object } = random.pick(examples);
    const changed = changedObject(random, object);
    return { method: "POST", path: `${path}?${options}`, bodies: [changed.object, changed.object], what: changed.what };
  }
  const { path: list, mine, theirs } = random.pick(stored);
  const path = `${list}/${mine.metadata.name}${random.chance(0.15) ? "/status" : ""}?${options}`;
  const patch = (type: string, body: unknown, what: string, more = ""): Request => ({
    method: "PATCH",
    path: path + more,
    type: `application/${type}`,
    bodies: [body, body],
    what,
  });
  const part = (): ReturnType<typeof changedObject> => changedObject(random, partOf(random, withoutOwn(mine)));
  return random.one<Request>(
    () => {
      const state = random.int(2 ** 31);
      const [one, other] = [mine, theirs].map((object) => changedObject(new Random(state), withoutOwn(object)));
      return { method: "PUT", path, bodies: [one?.object, other?.object], what: one?.what ?? "" };
    },
    () => {
      const place = random.pick([["metadata", "labels"], ...placesIn(withoutOwn(mine))]);
      const pointer = `/${place.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
      const body = [
        {
          op: random.pick(["add", "replace", "remove", "test"]),
          path: pointer,
          value: random.pick(["a", 1, {}, null]),
        },
      ];
      return patch("json-patch+json", body, JSON.stringify(body));
    },
    () => {
      const { object, what } = part();
      return patch(random.pick(["merge-patch+json", "strategic-merge-patch+json"]), object, what);
    },
    () => {
      const { object, what } = part();
      const named = { ...object, metadata: { ...object.metadata, name: mine.metadata.name } };
      return patch("apply-patch+yaml", named, what, `&fieldManager=f${random.chance(0.5) ? "&force=true" : ""}`);
    },
  );
}

/** Without what a server has chosen: it is not the same on both. */
function withoutOwn(object: Parsed): Parsed {
  const { managedFields: _, creationTimestamp: _c, resourceVersion: _r, uid: _u, ...metadata } = object.metadata;
  const copy = structuredClone({ ...object, metadata });
  if (copy.kind === "Service") {
    for (const name of ["clusterIP", "clusterIPs"]) delete copy.spec[name];
    for (const port of copy.spec.ports ?? []) delete port.nodePort;
  }
  // Its labels have the uid.
  if (copy.kind === "Job") {
    delete copy.spec.selector;
    delete copy.spec.template.metadata;
    delete copy.metadata.labels;
  }
  return copy;
}

async function differencesBetween(
  clients: readonly [PlaneClient, PlaneClient],
  { method, path, type, bodies }: Request,
): Promise<Differences> {
  const answers = await Promise.all(
    clients.map((call, index) => {
      const options = { body: JSON.stringify(bodies[index]), ...(type !== undefined && { type }) };
      // A kube-apiserver closes the connection where a request makes it panic.
      return call(method, path, options).catch(({ message }: Error) => ({
        status: 0,
        headers: {},
        text: JSON.stringify({ message }),
      }));
    }),
  );
  const [mine, theirs] = answers.map(comparableAnswer);
  return {
    different: differencesOf("", mine, theirs),
    answers: answers.map(({ status, text }) => `${status} ${text}`),
  };
}

function report(sent: number, all: readonly Found[]): void {
  writeFileSync(FILE, JSON.stringify(all, null, 2));
  for (const { number, method, path, what, different, answers } of all.slice(0, PRINTED)) {
    console.log(
      `${number} ${method} ${path} (${what}): ${different.map((each) => each.replace(/: .*/s, "")).join(" ")}`,
    );
    for (const answer of answers) console.log(`  ${answer.slice(0, 300)}`);
  }
  console.log(`${sent} requests, ${all.length} answered differently (seed ${seed}); all of them are in ${FILE}`);
}
