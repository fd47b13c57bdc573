import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LATEST } from "../../bin/built-server.js";
import { ProjectCopy } from "../tools/project-copy.ts";

const IS_BUILT = "this is the build\n";
const { TYPEPLANE_FROM_SOURCE: _, TYPEPLANE_BUILD: __, ...environment } = process.env;

let copy: ProjectCopy;

function run(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
  expected = 0,
) {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(copy.directory, file), ...args],
    { encoding: "utf8", cwd: copy.directory, env: environment, timeout: 120_000, ...options },
  );
  expect(status, stderr).toBe(expected);
  return stderr;
}

const build = () => run("package/build-server.ts", []);
const runsBuild = (options?: Parameters<typeof run>[2], status?: number) =>
  run("bin/typeplane.js", ["serve", "--help"], options, status).includes(IS_BUILT);
const latestFolder = (): string =>
  join(copy.directory, JSON.parse(readFileSync(join(copy.directory, LATEST), "utf8")).folder);

/** Makes the build print a message whenever it runs. */
function mark(): void {
  const main = join(latestFolder(), "main.js");
  writeFileSync(main, `process.stderr.write(${JSON.stringify(IS_BUILT)});\n${readFileSync(main, "utf8")}`);
}

beforeAll(() => {
  copy = new ProjectCopy();
  build();
  mark();
});
afterAll(() => copy.remove());

describe("the server that is built in a clone", () => {
  it("serves", async () => {
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["bin/typeplane.js", "start", "--json"], { stdio: ["pipe", "pipe", "inherit"] });
      child.stdout.once("data", (line) => {
        JSON.parse(line);
        child.kill("SIGTERM");
      });
      child.once("exit", (code) => process.exit(code));`;
    const file = join(copy.directory, "start-once.cjs");
    writeFileSync(file, script);
    expect(run("start-once.cjs", [])).toContain(IS_BUILT);
  });

  it("is run by commands that serve, and not by others", () => {
    expect(runsBuild()).toBe(true);
    expect(run("bin/typeplane.js", ["removals", "--help"])).not.toContain(IS_BUILT);
  });

  it("is not run with TYPEPLANE_FROM_SOURCE=1", () => {
    expect(runsBuild({ env: { ...environment, TYPEPLANE_FROM_SOURCE: "1" } })).toBe(false);
  });

  it("is not run in other projects, whose hooks import the sources", () => {
    const project = join(copy.directory, "examples/other");
    mkdirSync(project, { recursive: true });
    expect(runsBuild({ cwd: project })).toBe(true);
    writeFileSync(join(project, "typeplane.config.ts"), "");
    // The project is empty, which the command reports.
    expect(runsBuild({ cwd: project }, 2)).toBe(false);
  });

  it("is not built again if nothing has changed", () => {
    const before = latestFolder();
    build();
    expect(latestFolder()).toBe(before);
  });

  it("is not run, unless TYPEPLANE_BUILD=latest, and is built again, when a source has changed; three builds stay for servers that run from them", () => {
    const source = join(copy.directory, "runtime/cli/serve.ts");
    const builds = join(copy.directory, "dist/server");
    for (const older of ["1000000000001-a", "1000000000002-b", "1000000000003-c"]) mkdirSync(join(builds, older));
    const before = latestFolder();
    utimesSync(source, 1_700_000_000, 1_700_000_000);
    expect(runsBuild()).toBe(false);
    expect(runsBuild({ env: { ...environment, TYPEPLANE_BUILD: "latest" } })).toBe(true);
    build();
    mark();
    expect(runsBuild()).toBe(true);
    const kept = readdirSync(builds).filter((name) => name !== "latest.json");
    expect(kept.sort()).toEqual(["1000000000003-c", basename(before), basename(latestFolder())]);
  });
});
