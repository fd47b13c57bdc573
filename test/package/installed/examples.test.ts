import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { install } from "../installed-package.ts";
import { packageHome, ROOT } from "./install-project.ts";

const { home, tarball, node } = packageHome();

it.each(["library", "dns"])("the installed package runs the tests of examples/%s", (name) => {
  const example = join(home, name);
  cpSync(join(ROOT, "examples", name), example, { recursive: true });
  install(example, tarball());
  const launched = join(example, "node_modules/typeplane/bin/typeplane.js");
  expect(node(example, launched, "generate")).toMatchObject({ status: 0 });
  const { status, out } = node(example, "--test", "--test-reporter=tap");
  expect(out).toContain("# fail 0");
  expect(status, out).toBe(0);
  expect(node(example, launched, "roles", "--out=-").out).toContain(`- ${name}.example.com`);
});
