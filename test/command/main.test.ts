import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), "typeplane-command-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function run(args: readonly string[], onOutput?: (text: string, stop: () => void) => void) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, ["bin/typeplane.js", ...args], { cwd: root });
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
    expect((await run(["--help"])).out).toContain("typeplane serve [flags]");
    expect((await run(["--version"])).out).toBe("typeplane v1.33.0\n");
  });

  it("refuses what it does not know with status 2", async () => {
    expect(await run(["sreve"])).toMatchObject({ code: 2 });
    const flag = await run(["serve", "--secure-prt=1"]);
    expect(flag.code).toBe(2);
    expect(flag.err).toContain("unknown flag --secure-prt");
    expect(await run(["serve", "--release=old"])).toMatchObject({ code: 2 });
  });

  it("serves, tells a newcomer the two lines, and stops when told to", async () => {
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
