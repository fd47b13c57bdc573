import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { manualClock, type Plane, startPlane } from "typeplane";
import { type Client, connect, isForbidden } from "typeplane/client";
import { manager } from "typeplane/controller";
import { configMap, namespace, secret } from "typeplane/kubernetes/core/v1";
import { parseAllDocuments } from "yaml";
import { book } from "../api-definitions/library/v1/book.ts";
import { lending } from "../api-definitions/library/v1/lending.ts";
import { lendings } from "../controllers/lendings.ts";

/**
 * Runs the controllers on a cluster that serves the kinds as CustomResourceDefinitions only, with exactly the permissions that `typeplane
 * roles` writes.
 */
const project = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "library-"));
const kubeconfig = join(folder, "kubeconfig");
const moby = { namespace: "default", name: "moby-dick" };
let cluster: Plane;
let admin: Client;

function typeplane(...args: string[]): void {
  const launcher = fileURLToPath(new URL("bin/typeplane.js", import.meta.resolve("typeplane/package.json")));
  execFileSync(process.execPath, [launcher, ...args], { cwd: project, stdio: "pipe" });
}

async function applyAll(path: string): Promise<void> {
  for (const document of parseAllDocuments(readFileSync(path, "utf8"))) {
    const object = document.toJS() as { apiVersion: string; kind: string; metadata: { name: string } };
    await (await admin.untyped(object)).apply(object);
  }
}

/** Calls the function until it returns a value. Resolves with that value. */
async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("it did not happen within a minute");
}

before(async () => {
  typeplane("crds", "--out", join(folder, "crds"));
  typeplane("roles", "--namespace=library", "--leader-election", "--out", join(folder, "roles.yaml"));
  cluster = await startPlane({ flags: { "authorization-mode": "RBAC" } });
  await cluster.ready;
  admin = await connect({ kubeconfigText: cluster.kubeconfig, fieldManager: "tests" });
  await admin.of(namespace).create({ metadata: { name: "library" } });
  for (const file of readdirSync(join(folder, "crds"))) await applyAll(join(folder, "crds", file));
  await applyAll(join(folder, "roles.yaml"));
  const { token } = await admin.token({ namespace: "library", name: "library" });
  const { server, certificateAuthority } = cluster.client;
  const data = Buffer.from(certificateAuthority).toString("base64");
  const config = {
    clusters: [{ name: "cluster", cluster: { server, "certificate-authority-data": data } }],
    users: [{ name: "library", user: { token } }],
    contexts: [{ name: "library", context: { cluster: "cluster", user: "library", namespace: "library" } }],
    "current-context": "library",
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  await eventually(() => admin.of(book).list({ namespace: "default" }).all());
});
after(async () => {
  admin?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("main.ts runs until SIGTERM, and does its work with the permissions that were written", async () => {
  const running = spawn(process.execPath, [join(project, "controllers/main.ts")], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  running.stderr.on("data", (text: Buffer) => void (log += text.toString()));
  const ended = once(running, "exit");
  try {
    await admin.of(book).create({ metadata: moby, spec: { title: "Moby-Dick" } });
    const card = await eventually(() => admin.of(configMap).get(moby));
    assert.deepEqual(card.data, { title: "Moby-Dick", author: "anonymous" });
    await eventually(async () => (await admin.of(book).get(moby)).status?.card);
    await admin.of(configMap).delete(moby);
    await eventually(() => admin.of(configMap).get(moby));
    assert.equal(running.exitCode, null, log);
    await admin.of(book).delete(moby);
  } finally {
    running.kill("SIGTERM");
  }
  assert.deepEqual(await ended, [0, null], log);
  assert.doesNotMatch(log, /forbidden/i);
});

test("an overdue Lending has a status and an Event", async () => {
  const key = { namespace: "default", name: "ahab" };
  const clock = manualClock(new Date(Date.now() + 3 * 60 * 60 * 1000).toISOString());
  const client = await connect({ kubeconfig, clock });
  const log: string[] = [];
  const running = manager({ client, controllers: [lendings], log: (...parts) => void log.push(JSON.stringify(parts)) });
  await running.start();
  await admin.of(lending).create({ metadata: key, spec: { book: "moby-dick", reader: "Ahab", hours: 1 } });
  await running.idle();
  assert.equal((await admin.of(lending).get(key)).status?.overdue, true, log.join("\n"));
  const events = await admin.untyped({ apiVersion: "events.k8s.io/v1", kind: "Event" });
  const [event] = await events.list({ namespace: "default" }).all();
  assert.equal(event?.reason, "Overdue", log.join("\n"));
  await assert.rejects(client.of(secret).list({ namespace: "default" }).all(), isForbidden);
  await running.stop();
  client.close();
});
