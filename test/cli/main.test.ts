import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), "typeplane-command-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run(args: readonly string[], onOutput?: (text: string, stop: () => void) => void, file = "bin/typeplane.js") {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: root });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
      onOutput?.(out, () => child.kill("SIGTERM"));
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.once("exit", (code) => resolve({ code, out, err }));
  });
}

describe("the command", () => {
  it("prints help and version", async () => {
    const { out } = await run(["help"]);
    expect(out).toContain("typeplane serve [flags]");
    // Summaries begin in one column.
    const columns = out
      .split("\n")
      .flatMap((line) => (/^ {2}typeplane .*? {2,}(?=\S)/.exec(line) ?? [""])[0].length || []);
    expect(columns.length).toBeGreaterThan(20);
    expect(new Set(columns).size).toBe(1);
    const { out: about } = await run(["help", "generate"]);
    expect(about).toMatch(/^typeplane generate\n/);
    expect(await run(["help", "genrate"])).toMatchObject({ code: 2, err: expect.stringContaining("generate") });
    expect((await run(["--version"])).out).toBe("typeplane v1.33.0\n");
  });

  it("ends quietly when the reader of its help closes the pipe", async () => {
    const child = spawn(process.execPath, ["bin/typeplane.js", "serve", "--help"], { cwd: root });
    child.stdout.destroy();
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it("started with a Node that is too old runs with the Node of the project", async () => {
    const older = (...args: string[]) => run(args, undefined, "bin/older-node.js");
    expect(await older("--version")).toEqual({ code: 0, out: "typeplane v1.33.0\n", err: "" });
    expect(await older("serve", "--secure-port=no")).toEqual({
      code: 2,
      out: "",
      err: "--secure-port=no: not a number\n",
    });
  });

  it("describes the docs command, which refuses groups that do not exist", async () => {
    expect((await run(["docs", "--help"])).out).toContain("Writes the reference of your kinds as static pages");
    expect(await run(["docs", "--groups=nowhere.example.com"])).toEqual({
      code: 2,
      out: "",
      err: "--groups: there is no group nowhere.example.com\n",
    });
  });

  it("refuses what it does not know with status 2", async () => {
    expect(await run(["sreve"])).toMatchObject({
      code: 2,
      err: 'unknown command "sreve" (did you mean "serve"?); see typeplane --help\n',
    });
    const flag = await run(["serve", "--secure-prt=1"]);
    expect(flag.code).toBe(2);
    expect(flag.err).toContain("unknown flag --secure-prt");
    expect(await run(["serve", "--release=old"])).toMatchObject({ code: 2 });
  });

  it("says in one line which release, version, gate or file cannot be used, with status 2", async () => {
    const policy = join(directory, "policy.yaml");
    writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Polcy\n");
    const cases = {
      "--release=soon": '"soon" is not a release: write it as major.minor, for example 1.33\n',
      "--runtime-config=bach/v1=false":
        '--runtime-config: there is no API version "bach/v1" (did you mean "batch/v1"?)\n',
      "--feature-gates=WatchLst=true": 'unrecognized feature gate: WatchLst (did you mean "WatchList"?)\n',
      "--feature-gates=AnyVolumeDataSource=false":
        "cannot set feature gate AnyVolumeDataSource to false, feature is locked to true\n",
      [`--audit-policy-file=${policy}`]: `${policy}: audit.k8s.io/v1 Polcy cannot be used here (did you mean "audit.k8s.io/v1 Policy"?); expected audit.k8s.io/v1 Policy\n`,
      "--audit-log-mode=slow": "--audit-log-mode=slow: write one of batch, blocking, blocking-strict\n",
    };
    const where = ["--secure-port=0", "--data-dir=memory", `--cert-dir=${join(directory, "bad")}`];
    for (const [flag, words] of Object.entries(cases)) {
      expect(await run(["serve", flag, ...where]), flag).toMatchObject({ code: 2, out: "", err: words });
    }
  });

  it("exits with a message that says what to do if it cannot start", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const broken = join(directory, "broken");
    mkdirSync(broken);
    for (const file of ["ca.crt", "ca.key"]) writeFileSync(join(broken, file), "no certificate\n");
    const file = join(broken, "ca.crt");
    const cases: Readonly<Record<string, string>> = {
      [`--secure-port=${port}`]: `port ${port} of 127.0.0.1 is already in use: stop the process that listens on it, or choose another with --secure-port (0 chooses a free port)\n`,
      "--bind-address=192.0.2.1": "--bind-address=192.0.2.1: this machine has no such address\n",
      [`--kubeconfig-out=${join(file, "kubeconfig")}`]: `--kubeconfig-out=${join(file, "kubeconfig")}: ENOTDIR: not a directory, mkdir '${file}'\n`,
      [`--cert-dir=${broken}`]: `--cert-dir=${broken}: ca.crt and ca.key are not a certificate and its key: put back what they were, or delete both to have new ones made\n`,
      [`--data-dir=${file}`]: `the data directory ${file} cannot be written: ENOTDIR: not a directory, mkdir '${file}'\n`,
    };
    const where = ["--secure-port=0", "--data-dir=memory", `--cert-dir=${join(directory, "failing")}`];
    const quiet = [`--kubeconfig-out=${join(directory, "unused")}`];
    for (const [flag, words] of Object.entries(cases)) {
      expect(await run(["serve", ...where, ...quiet, flag]), flag).toMatchObject({ code: 1, out: "", err: words });
    }
    taken.close();
  });

  it("lists feature gates in the help of serve", async () => {
    const { code, out } = await run(["serve", "--help"]);
    expect(code).toBe(0);
    expect(out).toContain("\n  CBORServingAndStorage=true|false (ALPHA - default=false)\n");
    expect(out).toContain("\n  GitRepoVolumeDriver=true|false (DEPRECATED - default=false)\n");
    expect(out).not.toContain("AnyVolumeDataSource");
  });

  it("serves, prints the two commands to start with, and stops on SIGTERM", async () => {
    const kubeconfig = join(directory, "kubeconfig");
    const { code, out } = await run(
      [
        "serve",
        "--secure-port=0",
        `--data-dir=${join(directory, "data")}`,
        `--cert-dir=${join(directory, "pki")}`,
        `--kubeconfig-out=${kubeconfig}`,
      ],
      (text, stop) => {
        if (text.includes("kubectl get namespaces")) {
          stop();
        }
      },
    );
    expect(out).toContain(`export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n`);
    expect(existsSync(kubeconfig)).toBe(true);
    expect(code).toBe(0);
  });
});
