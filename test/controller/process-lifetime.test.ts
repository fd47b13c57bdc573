import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const moduleAt = (path: string) => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

/**
 * The server cannot be reached, so that no connection keeps the process alive. Neither do the timers here: they fire only in a process that
 * something else keeps alive.
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
    "exit 0",
    "",
  ]);
});
