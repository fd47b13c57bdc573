import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
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
      `${file}:1: batch/v1beta1 CronJob "one" is deprecated since v1.21, removed in v1.25; use batch/v1 CronJob (typeplane convert can convert it)`,
      `${file}:11: policy/v1beta1 PodSecurityPolicy "one" is deprecated since v1.21, removed in v1.25; there is no replacement`,
    ]);
  });

  it("fails for removed versions, and prints JSON", () => {
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

  it("continues after documents that are not objects, and reports errors in its flags", () => {
    const list = `kind: List\napiVersion: v1\nitems:\n- none\n- {apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: a}}\n`;
    const { status, out, err } = runCommand(["removals", "-f", "-", "--target-release", "1.25"], list);
    expect([status, err]).toEqual([1, "<stdin>:4: it is not an object\n"]);
    expect(out).toMatch(/^<stdin>:5: batch\/v1beta1 CronJob "a" is removed in v1\.25/);
    const says = (...args: string[]) => {
      const { status: code, err: words } = runCommand(["removals", ...args]);
      return [code, words];
    };
    expect(says("-f", file, "--from-server", "--kubeconfig", file)).toEqual([
      2,
      "-f and --from-server are mutually exclusive\n",
    ]);
    expect(says(file)).toEqual([2, `unexpected argument "${file}"; files are named with -f\n`]);
    expect(says("--from-server", "--kubeconfig", "nowhere")).toEqual([
      2,
      "--kubeconfig=nowhere: there is no such file or directory\n",
    ]);
  });

  it("reports why a server cannot be reached", () => {
    const kubeconfig = (user: object, cluster: object = {}) => {
      const named = { name: "c", cluster: { server: "https://127.0.0.1:1", ...cluster } };
      const file = join(directory, "unusable.json");
      const contexts = [{ name: "c", context: { cluster: "c", user: "u" } }];
      const config = { "current-context": "c", clusters: [named], users: [{ name: "u", user }], contexts };
      writeFileSync(file, JSON.stringify(config));
      return file;
    };
    const asked = (file: string) => {
      const { status, err } = runCommand(["removals", "--from-server", "--kubeconfig", file]);
      return [status, err.replaceAll(file, "FILE")];
    };
    expect(asked(kubeconfig({ token: "t" }))).toEqual([
      1,
      "GET https://127.0.0.1:1/apis: connect ECONNREFUSED 127.0.0.1:1\n",
    ]);
    const [status, message] = asked(kubeconfig({ "client-certificate-data": "AAAA", "client-key-data": "AAAA" }));
    expect(status).toBe(2);
    expect(message).toMatch(/^--kubeconfig=FILE: FILE: user "u": the client certificate and key cannot be used: /);
    expect(asked(kubeconfig({ exec: { command: "login" } }))).toEqual([
      2,
      '--kubeconfig=FILE: FILE: user "u": exec plugin login: apiVersion "" is not one of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1\n',
    ]);
  });

  it("lists objects on a server that were last written in an old version, each once, without the server's own objects", async () => {
    const plane = await startPlane({ flags: { release: "1.20" } });
    try {
      await plane.ready;
      const call = createClient(plane);
      const jobTemplate = {
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "example.com/c" }] } } },
      };
      const event = { action: "Look", reason: "Told", type: "Normal", note: "so", reportingController: "tests" };
      const objects: [path: string, kind: string, body: object][] = [
        ["policy/v1beta1 poddisruptionbudgets", "PodDisruptionBudget", { spec: { minAvailable: 1 } }],
        // The group prefers v1, which has no such kind yet.
        ["batch/v1beta1 cronjobs", "CronJob", { spec: { schedule: "@daily", jobTemplate } }],
        // One object, seen through two groups.
        ["extensions/v1beta1 ingresses", "Ingress", { spec: { backend: { serviceName: "s", servicePort: 80 } } }],
        [
          "events.k8s.io/v1beta1 events",
          "Event",
          {
            ...event,
            eventTime: "2020-01-01T00:00:00.000000Z",
            reportingInstance: "one",
            regarding: { namespace: "default" },
          },
        ],
      ];
      for (const [where, kind, body] of objects) {
        const [apiVersion, plural] = where.split(" ");
        const path = `/apis/${apiVersion}/namespaces/default/${plural}`;
        const made = await call("POST", path, { body: { apiVersion, kind, metadata: { name: "one" }, ...body } });
        expect(made.status, made.text).toBe(201);
      }
      const kubeconfig = join(directory, "kubeconfig");
      writeFileSync(kubeconfig, plane.kubeconfig);
      const { removalsCommand } = await import("../../runtime/cli/removals.ts");
      let out = "";
      const streams = { stdin: () => "", out: (text: string) => void (out += text), err: () => undefined };
      const args = ["--from-server", "--kubeconfig", kubeconfig, "--target-release", "1.26"];
      expect(await removalsCommand(args, streams, registry)).toBe(1);
      const one = (use: string, since: string, instead: string) =>
        `default/one (owned by tests): ${use} "one" is removed in v${since}; use ${instead} (typeplane convert can convert it)`;
      expect(out.trimEnd().split("\n").sort()).toEqual([
        one("batch/v1beta1 CronJob", "1.25", "batch/v1 CronJob"),
        one("events.k8s.io/v1beta1 Event", "1.25", "events.k8s.io/v1 Event"),
        one("extensions/v1beta1 Ingress", "1.22", "networking.k8s.io/v1 Ingress"),
        one("policy/v1beta1 PodDisruptionBudget", "1.25", "policy/v1 PodDisruptionBudget"),
      ]);
    } finally {
      await plane.stop();
    }
  });
});
