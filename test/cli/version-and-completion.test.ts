import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bin/typeplane.js", ...args], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`typeplane ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

it("typeplane version prints its own version, that of the API and that of Node.js", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(run("version")).toBe(`typeplane ${version}\nKubernetes API v1.33.0\nNode.js ${process.version}\n`);
  expect(run("kube-apiserver", "--version")).toBe("Kubernetes v1.33.0\n");
});

it("typeplane completion bash completes commands, flags of a command, and files", () => {
  const script = run("completion", "bash");
  const complete = (...words: string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const ask = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _typeplane; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["--norc", "-c", ask], { cwd: root, encoding: "utf8" });
    return stdout.trim().split("\n");
  };
  expect(complete("typeplane", "se")).toEqual(["serve"]);
  expect(complete("typeplane", "")).toEqual(expect.arrayContaining(["serve", "assets", "start", "convert"]));
  expect(complete("typeplane", "")).not.toContain("kube-apiserver");
  expect(complete("typeplane", "serve", "--bind")).toEqual(["--bind-address"]);
  expect(complete("typeplane", "dev", "--bind")).toEqual(["--bind-address"]);
  expect(complete("typeplane", "start", "--js")).toEqual(["--json"]);
  expect(complete("typeplane", "assets", "READ")).toEqual(["README.md"]);
});

it("typeplane completion knows zsh and fish, and no other shell", () => {
  const zsh = run("completion", "zsh");
  expect(zsh).toMatch(/^#compdef typeplane\n/);
  expect(zsh).toContain("'serve:start a server'");
  expect(run("completion", "fish")).toContain(
    "complete -c typeplane -n '__fish_seen_subcommand_from serve' -l bind-address\n",
  );
  expect(() => run("completion", "tcsh")).toThrow("write typeplane completion bash, zsh or fish");
});
