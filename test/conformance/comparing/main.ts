/**
 * `make compare KUBE_APISERVER=<directory> SECONDS=60 SEED=1 IDEAS=reads,watches`: compares the responses of a real kube-apiserver and of
 * this server to the same requests. With `APIS=all` both serve all versions and enable all features; `GATES=AllBeta=false` sets feature gates
 * of both. With `AUDITED=1` both write audit events, which are compared, too: seed 0 records everything, other seeds what a random policy
 * selects.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlane } from "../../../runtime/plane.ts";
import { startWebhookServer, type WebhookServer } from "../../admission/webhook-server.ts";
import { createClient, type PlaneClient } from "../../fixtures/plane-client.ts";
import { Random } from "../../hostile/random.ts";
import { EtcdProcess } from "../../tools/etcd-process.ts";
import { KubeApiserverProcess } from "../../tools/kube-apiserver-process.ts";
import { findTool, skipMessage } from "../../tools/tools.ts";
import { createAdmissionWorlds, optionalGates, optionalPlugins, TOKENS } from "./admission/worlds.ts";
import { auditFlags, reportAudits } from "./audits.ts";
import { type ComparedRequest, type Pair, servesAll } from "./compared-request.ts";
import { Comparison } from "./comparison.ts";
import { documents } from "./documents.ts";
import type { Episode } from "./episode.ts";
import { EPISODES, IDEAS, LAST_IDEAS, SLOW_IDEAS } from "./ideas.ts";
import { type MadeKinds, makeKinds } from "./own/made-kinds.ts";
import { defineOwnKinds } from "./own-kinds.ts";
import { createWorld } from "./world.ts";

const AT_ONCE = 6;
const PRINTED = 20;
const FILE = ".cache/compared.json";
const RANGE = "10.96.0.0/16";
/** Share of the time for the last ideas. */
const LAST_PART = 0.2;

const [seed, seconds] = [Number(process.argv[2] || 1), Number(process.argv[3] || 60)];
/** An idea for which both servers have other users and plugins, which the other ideas do not expect. */
const APART = "admitted";
/** An idea with kinds that are custom resources on the real server, but not on this one. */
const OWN = "ownKinds";
/** A gate that is disabled by default in Kubernetes and enabled in this server. If it is enabled in both, most watches differ: see docs/proof.md. */
const hasWatchLists = seed % 2 === 0;
const names = process.argv[4]?.split(",") ?? [
  ...Object.keys(IDEAS).filter((name) => name !== APART),
  ...(hasWatchLists ? [] : Object.keys(SLOW_IDEAS)),
  ...Object.keys(EPISODES).filter((name) => name !== OWN),
  ...Object.keys(LAST_IDEAS),
  "documents",
];
if (!KubeApiserverProcess.isRealServer() || findTool("etcd") === undefined) {
  console.log(skipMessage(findTool("etcd") === undefined ? "etcd" : "kube-apiserver"));
} else {
  process.exitCode = (await compare()) === 0 ? 0 : 1;
}

/** Resolves with the number of requests with different responses. */
async function compare(): Promise<number> {
  const etcd = await EtcdProcess.start();
  const added = process.env.GATES === undefined ? "" : `,${process.env.GATES}`;
  const gates = `${servesAll ? "AllAlpha=true,AllBeta=true," : ""}MutatingAdmissionPolicy=true,WatchList=${hasWatchLists}${added}`;
  const versions: Readonly<Record<string, string>> = {
    "runtime-config": servesAll ? "api/all=true" : "admissionregistration.k8s.io/v1alpha1=true",
  };
  const own = names.includes(APART) ? admissionFlags() : {};
  const audit = process.env.AUDITED === "1" ? auditFlags(seed) : undefined;
  const real = await KubeApiserverProcess.start(etcd.endpoint, [
    "--allow-privileged",
    `--feature-gates=${gates}`,
    ...Object.entries({ ...versions, ...own, ...audit?.[1] }).map(([name, value]) => `--${name}=${value}`),
  ]);
  const flags = {
    controllers: "false",
    "endpoint-reconciler-type": "none",
    "authorization-mode": "RBAC",
    "feature-gates": gates,
    "service-cluster-ip-range": RANGE,
    "disable-admission-plugins": "ServiceAccount",
    // As in Kubernetes: the first failure ends the deletion of the collection.
    "delete-collection-workers": "1",
    ...versions,
    ...own,
    ...audit?.[0],
  };
  const kinds = names.includes(OWN) ? await makeKinds(seed) : undefined;
  const plane = await startPlane({ flags, ...(kinds && { kinds: kinds.registry }) });
  await plane.ready;
  const reviewers = await Promise.all([startWebhookServer(), startWebhookServer()]);
  try {
    const clients: Pair<PlaneClient> = [createClient(plane), real.call];
    const comparison = new Comparison(clients);
    if (kinds !== undefined) await defineOwnKinds(kinds, real.call);
    await compareAll(comparison, clients, reviewers, kinds).finally(() => report(comparison));
    const audited = audit === undefined ? 0 : await reportAudits(audit);
    return comparison.found.length + audited;
  } finally {
    await plane.stop();
    await real.stop();
    for (const reviewer of reviewers) await reviewer.close();
    await etcd.stop();
  }
}

function admissionFlags(): Readonly<Record<string, string>> {
  const file = join(mkdtempSync(join(tmpdir(), "compared-")), "tokens.csv");
  writeFileSync(file, TOKENS, { mode: 0o600 });
  return {
    "token-auth-file": file,
    "authorization-mode": "Node,RBAC",
    "enable-admission-plugins": optionalPlugins(seed),
    "feature-gates": `WatchList=false,${optionalGates(seed)}`,
    "runtime-config":
      "resource.k8s.io/v1beta1=true,storage.k8s.io/v1beta1=true,admissionregistration.k8s.io/v1alpha1=true",
    "disable-admission-plugins": "AlwaysDeny",
  };
}

async function compareAll(
  comparison: Comparison,
  clients: Pair<PlaneClient>,
  reviewers: Pair<WebhookServer>,
  own: MadeKinds | undefined,
): Promise<void> {
  let opened = 0;
  const open = (request: ComparedRequest) => comparison.send("world", opened++, request);
  if (names.includes(APART)) await createAdmissionWorlds(seed, open);
  const created = await createWorld(clients, reviewers, seed, open);
  if (created === undefined) {
    console.log("skipped: no recorded objects beside this project");
    return;
  }
  const world = { ...created, ...(own && { own }) };
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
          const [name, play] = episodes[number % episodes.length] as [string, Episode];
          await play(Random.ofInput(seed, name, number), world, comparison.exchange(name, number));
        }
      };
      return Array.from({ length: AT_ONCE }, compareNext);
    };
    await Promise.all(groups.flatMap(compareGroup));
  };
  const lastPart = names.every((name) => name in LAST_IDEAS) ? 1 : LAST_PART;
  await compareFor(1 - lastPart, IDEAS, SLOW_IDEAS, EPISODES);
  await compareFor(lastPart, LAST_IDEAS);
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
