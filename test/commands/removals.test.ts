import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { runCommand } from "./run-command.ts";

let file = "";
let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "typeplane-removals-"));
  file = join(directory, "all.yaml");
  const object = (apiVersion: string, kind: string) =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: one\n`;
  const all = [
    object("batch/v1beta1", "CronJob"),
    object("apps/v1", "Deployment"),
    object("policy/v1beta1", "PodSecurityPolicy"),
    object("example.com/v1", "Widget"),
  ];
  writeFileSync(file, all.join("---\n"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("typeplane removals", () => {
  it("lists what is deprecated without failing", () => {
    const { status, out } = runCommand(["removals", "-f", directory, "--target-release", "1.24"]);
    expect(status).toBe(0);
    expect(out.trimEnd().split("\n")).toEqual([
      `${file}:1: batch/v1beta1 CronJob "one" is deprecated since v1.21, gone in v1.25; use batch/v1 CronJob (convert does it)`,
      `${file}:11: policy/v1beta1 PodSecurityPolicy "one" is deprecated since v1.21, gone in v1.25; there is no replacement`,
    ]);
  });

  it("fails on what is gone, and speaks JSON", () => {
    const { status, out } = runCommand(["removals", "-f", file, "--target-release", "1.25", "-o", "json"]);
    expect(status).toBe(1);
    const { release, findings } = JSON.parse(out);
    expect(release).toBe("1.25");
    expect(findings[0]).toMatchObject({ where: `${file}:1`, gone: true, use: "batch/v1 CronJob", automatic: true });
    expect(findings[1]).toMatchObject({ kind: "PodSecurityPolicy", gone: true, automatic: false });
  });

  it("says in one line what is wrong with a release", () => {
    const { status, err } = runCommand(["removals", "-f", file, "--target-release", "soon"]);
    expect(status).toBe(2);
    expect(err).toBe('"soon" is not a release: write it as major.minor, for example 1.33\n');
    const far = runCommand(["removals", "-f", file, "--target-release", "1.99"]);
    expect([far.status, far.err, far.out]).toEqual([
      2,
      "release 1.99 is unknown: the definitions, of 1.33, know releases 1.6 to 1.40\n",
      "",
    ]);
  });

  it("goes on past what is no object, item by item, and says what is wrong with a command line", () => {
    const list = `kind: List\napiVersion: v1\nitems:\n- none\n- {apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: a}}\n`;
    const { status, out, err } = runCommand(["removals", "-f", "-", "--target-release", "1.25"], list);
    expect([status, err]).toEqual([1, "<stdin>:4: it is no object\n"]);
    expect(out).toMatch(/^<stdin>:5: batch\/v1beta1 CronJob "a" is gone since v1\.25/);
    const says = (...args: string[]) => {
      const { status: code, err: words } = runCommand(["removals", ...args]);
      return [code, words];
    };
    expect(says("-f", file, "--from-server", "--kubeconfig", file)).toEqual([2, "-f and --from-server: choose one\n"]);
    expect(says(file)).toEqual([2, `unexpected argument "${file}"; files are named with -f\n`]);
    expect(says("--from-server", "--kubeconfig", "nowhere")).toEqual([
      2,
      "--kubeconfig=nowhere: there is no such file or directory\n",
    ]);
  }, 60_000);

  it("finds on a server who still speaks an old version", async () => {
    const plane = await startPlane({ flags: { release: "1.24", controllers: "false" } });
    try {
      await plane.ready;
      const body = {
        apiVersion: "policy/v1beta1",
        kind: "PodDisruptionBudget",
        metadata: { name: "one" },
        spec: { minAvailable: 1 },
      };
      const path = "/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets";
      expect((await createClient(plane)("POST", path, { body })).status).toBe(201);
      const kubeconfig = join(directory, "kubeconfig");
      writeFileSync(kubeconfig, plane.kubeconfig);
      const { removalsCommand } = await import("../../runtime/command/removals.ts");
      let out = "";
      const streams = { stdin: () => "", out: (text: string) => void (out += text), err: () => undefined };
      const args = ["--from-server", "--kubeconfig", kubeconfig, "--target-release", "1.25"];
      expect(await removalsCommand(args, streams)).toBe(1);
      expect(out).toContain(
        'default/one (owned by tests): policy/v1beta1 PodDisruptionBudget "one" is gone since v1.25; use policy/v1 PodDisruptionBudget (convert does it)',
      );
    } finally {
      await plane.stop();
    }
  });
});
