import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseFlags, readConfig } from "../../runtime/cli/read-config.ts";

const root = join(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "typeplane-deployment-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
const json = (instruction: string): string[] =>
  JSON.parse(new RegExp(`^${instruction} .*?(\\[.*\\])$`, "m").exec(dockerfile)?.[1] ?? "") as string[];
/** Files that are copied into the image. */
const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));

describe("the Dockerfile", () => {
  it("copies only files that exist and that .dockerignore lets through", () => {
    const listed = readFileSync(join(root, ".dockerignore"), "utf8").match(/^!.+$/gm) ?? [];
    expect(copied.map((name) => `!${name}`).sort()).toEqual([...listed].sort());
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  it("runs as a user other than root, and has everything that a healthy server needs", async () => {
    expect(/^USER (.+)$/m.exec(dockerfile)?.[1]).toBe("node");
    const app = join(directory, "app");
    mkdirSync(app);
    for (const name of copied) execFileSync("cp", ["-a", join(root, name), app]);
    linkPackages(join(app, "node_modules"));
    const [, ...launcher] = json("ENTRYPOINT");
    const flags = json("CMD").map((flag) => flag.replace("/data", join(directory, "data")));
    const server = spawn(process.execPath, [...launcher, ...flags, "--secure-port=0"], { cwd: app });
    let log = "";
    const port = await new Promise<string>((resolve, reject) => {
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        const [, found] = /serving on https:\/\/127\.0\.0\.1:(\d+)/.exec(log) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.once("close", () => reject(new Error(log)));
    });
    const [, ...check] = json("HEALTHCHECK").map((word) => word.replace(":6443", `:${port}`));
    const isHealthy = (): boolean => spawnSync(process.execPath, check).status === 0;
    // It listens before it is ready, and Docker repeats the check, too.
    await expect.poll(isHealthy).toBe(true);
    expect(existsSync(join(directory, "data/kubeconfig"))).toBe(true);
    expect(readdirSync(app).sort()).toEqual([...copied, "node_modules"].sort());
    server.kill("SIGTERM");
    expect(await once(server, "close")).toEqual([0, null]);
    expect(isHealthy()).toBe(false);
    expect(log).not.toContain('"level":"warn"');
  });
});

/** Links the dependencies except those that the image does not contain. */
function linkPackages(target: string): void {
  const source = join(root, "node_modules");
  const names = readdirSync(source).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(source, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  for (const name of names) {
    if (/^(?:\.|@?ts-morph|node-linux-)/.test(name)) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    symlinkSync(join(source, name), join(target, name));
  }
}

describe("the systemd unit", () => {
  const path = join(root, "deploy/typeplane.service");
  const hasVerifier = spawnSync("systemd-analyze", ["--version"]).status === 0;

  it("starts the server with flags that it knows", () => {
    const [, flags = ""] = /^ExecStart=.* serve (.*)$/m.exec(readFileSync(path, "utf8")) ?? [];
    const text = flags.replaceAll(/\$\{STATE_DIRECTORY\}/g, "/var/lib/typeplane");
    expect(readConfig(parseFlags(text.split(" ")))).toMatchObject({
      dataDir: "/var/lib/typeplane/data",
      certDir: "/var/lib/typeplane/pki",
      logFormat: "text",
    });
  });

  it.skipIf(!hasVerifier)("passes systemd-analyze verify (skipped where systemd is missing)", () => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
