import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { type CheckResult, runChecks } from "../../runtime/cli/doctor/check.ts";
import { compactionFindings } from "../../runtime/cli/doctor/data-directory/content-checks.ts";
import { doctorCommand } from "../../runtime/cli/doctor/doctor.ts";
import { MetricsText } from "../../runtime/cli/doctor/metrics-text.ts";
import { HEALTH_CHECKS } from "../../runtime/cli/doctor/server/health-checks.ts";
import { LOAD_CHECKS } from "../../runtime/cli/doctor/server/load-checks.ts";
import { definitions, namespaces } from "../../runtime/cli/doctor/server/object-checks.ts";
import { ServerView } from "../../runtime/cli/doctor/server/server-view.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { DEFINITIONS, definitionWith } from "../kinds/custom/definitions.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-doctor-"));
const kubeconfig = join(directory, "kubeconfig");
const NAMES = { domain: "k8s.io", vendor: "kubernetes" };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** URL of a port of loopback on which nothing listens. */
const NOWHERE = "https://127.0.0.1:1/hook";

let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  // The next release, 1.25, removes batch/v1beta1.
  plane = await startPlane({ directory, flags: { release: "1.24" } });
  call = createClient(plane);
  await plane.ready;
  writeFileSync(kubeconfig, plane.kubeconfig, { mode: 0o600 });
});
afterAll(async () => {
  await plane.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Matches the progress messages that a command prints on a slow machine. */
const PROGRESS = /^\d+ read … .*\n/gm;

async function doctor(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const streams = {
    stdin: () => "",
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  const status = await doctorCommand(args, streams, registry);
  return { status, out, err: err.replaceAll(PROGRESS, "") };
}

/** Checks whose result depends on the load of the machine. */
const TIMING = ["slow-syncs", "event-loop"];

/** Findings as `check severity: finding`. */
function findingsOf(results: readonly CheckResult[]): string[] {
  return results.flatMap(({ name, findings }) =>
    findings.map(({ severity, finding }) => `${name} ${severity}: ${finding}`),
  );
}

/** Checks that docs/operations/doctor.md does not list. */
function undocumented(results: readonly CheckResult[]): string[] {
  const page = readFileSync(new URL("../../docs/operations/doctor.md", import.meta.url), "utf8");
  return results.map(({ name, looksAt }) => `| \`${name}\` | ${looksAt} |`).filter((row) => !page.includes(row));
}

async function create(path: string, body: object): Promise<void> {
  const { status, text } = await call("POST", path, { body });
  if (status !== 201) throw new Error(text);
}

function definition(plural: string, kind: string, names: readonly string[], conversion?: object) {
  const versions = names.map((name, index) => ({
    name,
    served: true,
    storage: index === names.length - 1,
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  }));
  return definitionWith(plural, kind, versions, { ...(conversion && { conversion }) });
}

async function breakThings(): Promise<void> {
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }];
  const webhook = (name: string, failurePolicy: string, clientConfig: object) => ({
    ...{ name, failurePolicy, clientConfig, rules },
    ...{ sideEffects: "None", admissionReviewVersions: ["v1"] },
  });
  await create("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "broken" },
    webhooks: [
      webhook("fail.example.com", "Fail", { url: NOWHERE }),
      webhook("ignore.example.com", "Ignore", { service: { namespace: "default", name: "absent" } }),
    ],
  });
  await create("/apis/apiregistration.k8s.io/v1/apiservices", {
    metadata: { name: "v1.gone.example.com" },
    spec: {
      ...{ group: "gone.example.com", version: "v1", groupPriorityMinimum: 100, versionPriority: 100 },
      service: { namespace: "default", name: "gone" },
      insecureSkipTLSVerify: true,
    },
  });
  await create(DEFINITIONS, definition("books", "Book", ["v1"]));
  await create(DEFINITIONS, definition("tomes", "Book", ["v1"]));
  const { body } = await call("GET", `${DEFINITIONS}/books.example.com`);
  const next = { ...body, spec: definition("books", "Book", ["v1", "v2"]).spec };
  expect((await call("PUT", `${DEFINITIONS}/books.example.com`, { body: next })).status).toBe(200);
  const clientConfig = { url: NOWHERE };
  const conversion = { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: ["v1"] } };
  await create(DEFINITIONS, definition("maps", "Map", ["v1", "v2"], conversion));
  await create("/apis/batch/v1beta1/namespaces/default/cronjobs", {
    metadata: { name: "old" },
    spec: {
      schedule: "@daily",
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } } },
      },
    },
  });
  await create("/api/v1/namespaces", { metadata: { name: "stuck" } });
  const held = { metadata: { name: "held", finalizers: ["example.com/held"] } };
  await create("/api/v1/namespaces/stuck/configmaps", held);
  await call("DELETE", "/api/v1/namespaces/stuck");
  await plane.settled();
}

describe("typeplane doctor on a running server", () => {
  it("finds nothing wrong with a new server, and exits with 0", async () => {
    const { status, out, err } = await doctor(`--kubeconfig=${kubeconfig}`, "--interval=0");
    const problems = out.split("\n").filter((line) => /^(error|warning|unknown)/.test(line));
    const isTiming = (line: string) => TIMING.some((name) => line.startsWith(`warning  ${name}:`));
    expect({ err, problems: problems.filter((line) => !isTiming(line)) }).toEqual({ err: "", problems: [] });
    expect(status).toBe(problems.length > 0 ? 1 : 0);
    expect(out).toMatch(/^ok {7}readiness$/m);
    expect(out).toMatch(/^https:\/\/127\.0\.0\.1:\d+: 23 checks: 0 errors, (?:[02] warnings|1 warning)$/m);
  });

  it("says what is wrong with webhooks, APIServices, definitions, stored versions and removed versions, and exits with 1", async () => {
    await breakThings();
    const { status, out } = await doctor(`--kubeconfig=${kubeconfig}`, "--interval=0", "--json");
    expect(status).toBe(1);
    const { target, results } = JSON.parse(out) as { target: string; results: CheckResult[] };
    expect(target).toBe(plane.client.server);
    expect(undocumented(results)).toEqual([]);
    const found = findingsOf(results.filter(({ name }) => !TIMING.includes(name)));
    expect(found).toEqual([
      expect.stringMatching(
        /^admission-webhooks error: The admission webhook fail\.example\.com of broken \(failurePolicy Fail\): https:\/\/127\.0\.0\.1:1\/hook cannot be reached from here: .*ECONNREFUSED.* Requests that it matches are rejected\.$/,
      ),
      "admission-webhooks warning: The admission webhook ignore.example.com of broken (failurePolicy Ignore): the Service default/absent does not exist. Requests that it matches are admitted without it.",
      expect.stringMatching(/^conversion-webhooks error: The conversion webhook of maps\.example\.com: .*ECONNREFUSED/),
      expect.stringMatching(
        /^api-services error: The APIService v1\.gone\.example\.com is not available \(ServiceNotFound/,
      ),
      expect.stringMatching(
        /^definitions error: The names of the CustomResourceDefinition tomes\.example\.com are not accepted/,
      ),
      "stored-versions warning: Objects of books.example.com may still be stored in v1; the storage version is v2.",
      expect.stringMatching(/^removals warning: default\/old .*batch\/v1beta1 CronJob "old" is removed in v1\.25/),
      expect.stringMatching(/^removals info: 1 resources could not be read: GET \/apis\/gone\.example\.com\/v1: /),
    ]);
    const advice = results.flatMap(({ findings }) => findings.map((finding) => finding.advice));
    expect(advice.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
  });

  it("says why a namespace is stuck, once five minutes have passed", async () => {
    const later = (milliseconds: number) => new ServerView({ kubeconfig }, () => new Date(Date.now() + milliseconds));
    const results: CheckResult[] = [];
    await runChecks([namespaces], later(0), (result) => results.push(result));
    await runChecks([namespaces], later(HOUR_MS), (result) => results.push(result));
    expect(findingsOf(results)).toEqual([
      expect.stringMatching(
        /^namespaces warning: The namespace stuck has been Terminating since \S+ \(.*NamespaceFinalizersRemaining: .*example\.com\/held/,
      ),
    ]);
  });

  it("compares clocks, and warns before certificates expire and when they have", async () => {
    const see = async (milliseconds: number): Promise<string[]> => {
      const results: CheckResult[] = [];
      const server = new ServerView({ kubeconfig }, () => new Date(Date.now() + milliseconds));
      await runChecks(HEALTH_CHECKS, server, (result) => results.push(result));
      server.close();
      return findingsOf(results);
    };
    expect(await see(HOUR_MS)).toEqual([
      expect.stringMatching(
        /^clock error: The clock of the server is 3(600|599|601) seconds behind the clock of this machine\.$/,
      ),
    ]);
    const [, ...soon] = await see(360 * DAY_MS);
    expect(soon[0]).toMatch(/^certificates warning: The certificate that the server shows expires in 4 days, on /);
    expect(soon).toHaveLength(3);
    expect((await see(400 * DAY_MS))[1]).toMatch(
      /^certificates error: The certificate that the server shows expired on /,
    );
  });

  it("reads a server by its URL and token, and tells which checks the user may not make", async () => {
    const authority = join(directory, "pki", "ca.crt");
    const account = "/api/v1/namespaces/default/serviceaccounts/default/token";
    const { body } = await call("POST", account, { body: { spec: {} } });
    const address = [`--server=${plane.client.server}`, `--certificate-authority=${authority}`];
    const { status, out } = await doctor(...address, `--token=${body.status.token}`, "--interval=0");
    expect(out).toMatch(/^ok {7}readiness$/m);
    expect(out).toMatch(/^unknown {2}namespaces: could not look: namespaces is forbidden: User/m);
    expect(out).toMatch(/, \d+ checks could not look$/m);
    expect(status).toBe(2);
  });

  it("names the checks of /readyz that fail, and definitions that are not served or not structural", async () => {
    const condition = (type: string, status: string) => ({ type, status, reason: "Why", message: "because" });
    const stuck = { name: "stuck.example.com", deletionTimestamp: "2020-01-01T00:00:00Z" };
    const served = [condition("Established", "True")];
    const sick = {
      now: () => new Date(),
      text: async () => ({ status: 500, text: "[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n" }),
      listIfServed: async () => [
        { metadata: { name: "new.example.com" }, spec: { versions: [] }, status: { conditions: [] } },
        {
          metadata: { name: "loose.example.com" },
          spec: { versions: [] },
          status: { conditions: [...served, condition("NonStructuralSchema", "True")] },
        },
        {
          metadata: stuck,
          spec: { versions: [] },
          status: { conditions: [...served, condition("Terminating", "True")] },
        },
      ],
    } as unknown as ServerView;
    const results: CheckResult[] = [];
    const checks = [...HEALTH_CHECKS.filter(({ name }) => name === "readiness"), definitions(createNaming(NAMES))];
    await runChecks(checks, sick, (result) => results.push(result));
    expect(findingsOf(results)).toEqual([
      "readiness error: The server is not ready: etcd failed.",
      "definitions error: The CustomResourceDefinition new.example.com is not established, so its kind is not served.",
      "definitions warning: The schema of the CustomResourceDefinition loose.example.com is not structural (Why: because).",
      "definitions warning: The CustomResourceDefinition stuck.example.com has been in deletion since 2020-01-01T00:00:00Z (Why: because).",
    ]);
  });

  it("exits with 2 if there is no server", async () => {
    const { status, out, err } = await doctor("--server=https://127.0.0.1:1");
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(/^https:\/\/127\.0\.0\.1:1 does not respond as an API server: .*ECONNREFUSED/);
  });
});

describe("the checks of a server's load", () => {
  const QUIET = [
    "typeplane_storage_disk_available_bytes 500",
    "typeplane_storage_disk_size_bytes 1000",
    "typeplane_storage_limit_bytes 1000",
    'apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} 10',
    "process_open_fds 10",
    "process_max_fds 100",
    'typeplane_watches_ended_total{reason="timeout"} 0',
    'typeplane_budget_used{budget="watch_backlog_bytes"} 0',
    'typeplane_budget_limit{budget="watch_backlog_bytes"} 1000',
    'nodejs_eventloop_lag_seconds{quantile="0.99"} 0.01',
  ].join("\n");

  async function judge(before: string, now: string): Promise<string[]> {
    const results: CheckResult[] = [];
    const readings = { before: new MetricsText(before), now: new MetricsText(now) };
    await runChecks(LOAD_CHECKS, readings, (result) => results.push(result));
    return findingsOf(results);
  }

  it("find nothing on a quiet server", async () => {
    expect(await judge(QUIET, QUIET)).toEqual([]);
  });

  it("find an etcd that refuses writes because its database has reached its quota", async () => {
    const members = ['typeplane_etcd_space_exceeded{storage_cluster_id="etcd-0"} 0'];
    expect(await judge(QUIET, [QUIET, ...members].join("\n"))).toEqual([]);
    members.push('typeplane_etcd_space_exceeded{storage_cluster_id="etcd-1"} 1');
    expect(await judge(QUIET, [QUIET, ...members].join("\n"))).toEqual([
      "etcd-space error: etcd has the alarm NOSPACE: its database has reached its quota, and it refuses writes.",
    ]);
  });

  it("find a full disk, a large file, slow commits, slow clients and a late event loop", async () => {
    const now = [
      QUIET.replace("available_bytes 500", "available_bytes 20")
        .replace('"etcd-0"} 10', '"etcd-0"} 900')
        .replace("open_fds 10", "open_fds 90")
        .replace('"watch_backlog_bytes"} 0', '"watch_backlog_bytes"} 900')
        .replace("} 0.01", "} 2"),
      'typeplane_storage_commit_duration_seconds_bucket{le="0.512"} 90',
      'typeplane_storage_commit_duration_seconds_bucket{le="1.024"} 100',
      'typeplane_storage_commit_duration_seconds_bucket{le="+Inf"} 100',
      "typeplane_storage_commit_duration_seconds_count 100",
    ].join("\n");
    expect(await judge(QUIET, now)).toEqual([
      "disk-space error: The disk with the data has 20 bytes (2.0 %) left; writes fail when it is full.",
      "data-file-size warning: The data file has 900 bytes of at most 1000 bytes.",
      "slow-syncs warning: Since the server started, the slowest 1 % of commits took up to 1.024 s.",
      "watch-backlog warning: 900 bytes of at most 1000 bytes (watch_backlog_bytes) wait for clients that read too slowly.",
      "event-loop warning: The event loop of the server ran 2.0 s late, and all requests with it.",
      "file-descriptors warning: The server has 90 of at most 100 file descriptors open.",
    ]);
  });

  it("warn of counters that grow now, and only mention those that grew earlier", async () => {
    const rejected =
      'apiserver_flowcontrol_rejected_requests_total{priority_level="a",flow_schema="b",reason="queue-full"}';
    const before = `${QUIET}\n${rejected} 7\netcd_request_errors_total{operation="create",type="pods"} 3\ntypeplane_change_log_write_failures_total 0`;
    const now = before
      .replace("failures_total 0", "failures_total 2")
      .replace(`${rejected} 7`, `${rejected} 9`)
      .replace('{reason="timeout"} 0', '{reason="timeout"} 4');
    expect(await judge(before, now)).toEqual([
      "store-errors info: Since the server started, but not now: the store failed to create pods (3 times).",
      "change-log warning: Just now: the change log could not be written (2 times).",
      "watchers warning: Just now: watches were closed because their clients did not read fast enough (timeout) (4 times).",
      "fairness warning: Just now: requests of the FlowSchema b at the priority level a were rejected (queue-full) (2 times).",
    ]);
  });
});

describe("typeplane doctor on a data directory", () => {
  const flagsOf = (root: string): string[] => [
    `--data-dir=${join(root, "data")}`,
    `--cert-dir=${join(root, "pki")}`,
    "--release=1.24",
  ];
  const copy = (name: string): string => {
    const to = join(directory, name);
    for (const part of ["data", "pki"]) cpSync(join(directory, part), join(to, part), { recursive: true });
    rmSync(join(to, "data", "server.lock"), { force: true });
    chmodSync(join(to, "data"), 0o700);
    chmodSync(join(to, "pki"), 0o700);
    return to;
  };

  it("finds nothing wrong with that of a running server, tells who has it open, and changes nothing", async () => {
    const before = statSync(join(directory, "data", "data.mdb"));
    const { status, out, err } = await doctor(...flagsOf(directory));
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toContain(`info     in-use: The process with pid ${process.pid} has the directory open.`);
    expect(out).toMatch(/^ok {7}integrity$/m);
    expect(out).toMatch(/^- {8}plaintext: no kind is encrypted/m);
    const after = statSync(join(directory, "data", "data.mdb"));
    expect([after.size, after.mode]).toEqual([before.size, before.mode]);
  });

  it("finds keys that others can read, and objects in plaintext that are to be encrypted", async () => {
    await create("/api/v1/namespaces/default/secrets", { metadata: { name: "a" }, stringData: { password: "x" } });
    const damaged = copy("damaged");
    chmodSync(join(damaged, "pki", "ca.key"), 0o644);
    chmodSync(join(damaged, "data", "data.mdb"), 0o640);
    const config = join(damaged, "encryption.yaml");
    const secret = Buffer.alloc(32, 7).toString("base64");
    const providers = `[{ secretbox: { keys: [{ name: a, secret: ${secret} }] } }, { identity: {} }]`;
    const text = `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers: ${providers}\n`;
    writeFileSync(config, text, { mode: 0o600 });
    const { status, out } = await doctor(...flagsOf(damaged), `--encryption-provider-config=${config}`, "--json");
    expect(status).toBe(1);
    const { results } = JSON.parse(out) as { results: CheckResult[] };
    expect(undocumented(results)).toEqual([]);
    const found = findingsOf(results);
    expect(found).toContain(
      `file-modes error: ${join(damaged, "pki", "ca.key")} has mode 0644: other users of this machine can open it.`,
    );
    expect(found).toContain(
      `file-modes error: ${join(damaged, "data", "data.mdb")} has mode 0640: other users of this machine can open it.`,
    );
    expect(found).toContainEqual(
      expect.stringMatching(/^stale-objects warning: \d+ of \d+ objects are stored in an older version/),
    );
    expect(found).toContainEqual(
      expect.stringMatching(
        /^plaintext error: \d+ objects are stored in plaintext although their kind is to be encrypted\.$/,
      ),
    );
    expect(out).not.toContain(secret);
  });

  it("finds a data file that was cut short, or is of another program", async () => {
    const cut = copy("cut");
    truncateSync(join(cut, "data", "data.mdb"), 2 * 4096);
    const { status, out } = await doctor(...flagsOf(cut));
    expect(status).toBe(1);
    expect(out).toMatch(/^error {4}format: The data in .* cannot be opened: data\.mdb was cut short\.$/m);
    expect(out).toMatch(/^- {8}integrity: the data file cannot be opened$/m);
    writeFileSync(join(cut, "data", "data.mdb"), "not a data file".repeat(1000));
    expect((await doctor(...flagsOf(cut))).out).toContain("data.mdb is not a data file.");
    expect(readFileSync(join(cut, "data", "data.mdb"), "utf8")).toMatch(/^not a data file/);
  });

  it("advises to compact a file of which more than half is free", () => {
    expect(compactionFindings({ pageBytes: 4096, total: 40_000, free: 15_000 })).toEqual([]);
    expect(compactionFindings({ pageBytes: 4096, total: 100, free: 90 })).toEqual([]);
    expect(compactionFindings({ pageBytes: 4096, total: 40_000, free: 30_000 })[0]?.finding).toMatch(
      /^117\.2 MiB of the 156\.3 MiB of the data file are unused\./,
    );
  });

  it("refuses what it cannot look at, with the reason", async () => {
    await expect(doctor("--data-dir=memory")).rejects.toThrow("--data-dir=memory: there is nothing to look at");
    await expect(doctor(`--data-dir=${join(directory, "none")}`)).rejects.toThrow("there is no such directory");
    await expect(doctor(`--data-dir=${directory}`, `--kubeconfig=${kubeconfig}`)).rejects.toThrow("choose one");
    await expect(doctor("--server=nowhere")).rejects.toThrow("write a URL");
    await expect(doctor("--interval=soon", `--kubeconfig=${kubeconfig}`)).rejects.toThrow("write a number of seconds");
  });
});
