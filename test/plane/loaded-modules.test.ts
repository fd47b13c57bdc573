import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Loading takes most of the time of a start. The number of modules, unlike the time, is the same on every machine. */
const ROOT = new URL("../../", import.meta.url).href;

describe("a plane of the base core", () => {
  const loaded: string[] = [];
  const hooks = registerHooks({
    load(url, context, next) {
      if (url.startsWith(ROOT)) loaded.push(url.slice(ROOT.length));
      return next(url, context);
    },
  });
  beforeAll(async () => {
    const { startPlane } = await import("../../runtime/plane.ts");
    const plane = await startPlane({ base: "core", listen: false });
    await plane.ready;
    await plane.stop();
  });
  afterAll(() => hooks.deregister());

  it("loads no more modules until it is ready than it needs", () => {
    const own = loaded.filter((path) => !path.startsWith("node_modules/"));
    expect(own).toContain("runtime/plane.ts");
    expect(own.length, "load what only some runs need when they need it").toBeLessThanOrEqual(708);
  });

  it("loads no generator, no etcd client, no YAML, no RE2 and no compiler of expressions", () => {
    const packages = [
      "ts-morph",
      "typescript",
      "@grpc/grpc-js",
      "protobufjs",
      "yaml",
      "re2js",
      "jose",
      "ws",
      "handlebars",
    ];
    const unused = [...packages.map((name) => `node_modules/${name}/`), "generator/", "runtime/cel/compiler/"];
    expect(loaded.filter((path) => unused.some((start) => path.startsWith(start)))).toEqual([]);
  });
});

describe("the runtime and the commands", () => {
  it("import node:http for types only: as an ECMAScript module it loads undici, which no server uses", () => {
    const cwd = fileURLToPath(ROOT);
    const files = globSync(["runtime/**/*.ts", "cli/**/*.ts"], { cwd });
    const imports = files.filter((file) =>
      /^import (?!type )[^;]*? from "node:http";/m.test(readFileSync(`${cwd}${file}`, "utf8")),
    );
    expect(files.length).toBeGreaterThan(500);
    expect(imports).toEqual([]);
  });
});
