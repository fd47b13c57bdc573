import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const moduleAt = (path: string) => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

/**
 * The server is unreachable, so no connection keeps the process alive. The timers here do not either: they fire only if something else keeps
 * the process alive.
 */
const PROGRAM = `
import { connect } from ${moduleAt("runtime/client.ts")};
import { controller, manager } from ${moduleAt("runtime/controller.ts")};
import { configmaps } from ${moduleAt("generated/resources/core.v1.ts")};
const clusters = [{ name: "c", cluster: { server: "http://127.0.0.1:1" } }];
const contexts = [{ name: "c", context: { cluster: "c", user: "c" } }];
const kubeconfigText = JSON.stringify({ clusters, contexts, users: [{ name: "c", user: {} }], "current-context": "c" });
const client = await connect({ kubeconfigText });
const say = (text) => process.stdout.write(text + "\\n");
const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
process.on("exit", (code) => say("exit " + code));

const informer = client.of(configmaps).informer();
informer.start().catch(() => say("the informer was stopped"));
await later(700);
say("an informer keeps it alive");
const running = manager({ client, controllers: [controller(configmaps).reconcile(() => {})], log: () => undefined });
running.start().catch(() => undefined);
await informer.stop();
await later(700);
say("a manager keeps it alive");
await running.stop();
for (const ended of [informer.start(), running.start()]) await ended.catch(({ message }) => say(message));
const late = manager({ client, controllers: [controller(configmaps).reconcile(() => {})], log: () => undefined, metricsPort: 0 });
const starting = late.start().catch(({ message }) => say(message));
await late.stop();
await starting;
setTimeout(() => say("something else keeps it alive"), 20_000).unref();
`;

it("keeps the process alive while an informer or a manager is started, and no longer", () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", PROGRAM],
    { encoding: "utf8", timeout: 60_000 },
  );
  expect(stdout.split("\n"), stderr).toEqual([
    "an informer keeps it alive",
    "the informer was stopped",
    "a manager keeps it alive",
    "the informer was stopped",
    "the informer was stopped",
    "the informer was stopped",
    "exit 0",
    "",
  ]);
});

const BUSY = `
import { createServer } from "node:http";
import { connect } from ${moduleAt("runtime/client.ts")};
const server = createServer((_request, response) => response.writeHead(429, { "Retry-After": "1", Connection: "close" }).end("busy"));
server.listen(0, "127.0.0.1", async () => {
  server.unref();
  const clusters = [{ name: "c", cluster: { server: "http://127.0.0.1:" + server.address().port } }];
  const contexts = [{ name: "c", context: { cluster: "c" } }];
  const client = await connect({ kubeconfigText: JSON.stringify({ clusters, contexts, "current-context": "c" }), retries: 1 });
  await client.request({ method: "GET", path: "/x" }).catch(({ message }) => process.stdout.write("it said: " + message));
});
`;

it("keeps the process alive while a request waits for its next attempt", () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", BUSY],
    { encoding: "utf8", timeout: 60_000 },
  );
  expect(stdout, stderr).toBe("it said: busy");
});
